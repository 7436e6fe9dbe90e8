/** What ESLint looks for in the page's sources: faults. Prettier has the format, tsc the types. */
import js from "@eslint/js";
import globals from "globals";

const SVG_PATH = String.raw`"M[-\d.]|\bd=("M|\$)`;

export default [
  { ignores: ["src/keltis/web/vendor/", "build/", ".venv/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-alert": "error",
      "no-constructor-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true, varsIgnorePattern: "^_$" }],
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-assignment": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "require-atomic-updates": "error",
      // Text and markup go into the page by Preact, which escapes them.
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "dangerouslySetInnerHTML"].map(
          (property) => ({ property, message: "it would let text become markup" }),
        ),
      ],
      // Prettier leaves comments and long expressions in markup as wide as they are.
      "max-len": ["error", { code: 100, ignoreUrls: true, ignorePattern: SVG_PATH }],
    },
  },
  {
    files: ["src/keltis/web/js/messages/**"],
    rules: { "max-len": "off" },
  },
  { files: ["src/keltis/web/sw.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["eslint.config.js"], languageOptions: { globals: globals.node } },
];
