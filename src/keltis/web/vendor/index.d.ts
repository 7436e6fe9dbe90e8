// The types of what index.js exports, as far as the page uses them.
export interface VNode {
  type: unknown;
  props: unknown;
  key: unknown;
}
export type Child = VNode | VNode[] | string | number | boolean | null | undefined | Child[];
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function h(type: unknown, props: object | null, ...children: Child[]): VNode;
export function render(node: Child, parent: Element): void;
export function createPortal(node: Child, parent: Element): VNode;
export const Fragment: unknown;

type Cleanup = void | (() => void);
export function useEffect(run: () => Cleanup, on?: readonly unknown[]): void;
export function useLayoutEffect(run: () => Cleanup, on?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, on: readonly unknown[]): T;
export function useRef<T>(start: T): { current: T };
export function useState<T>(start: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useId(): string;

export interface Signal<T> {
  value: T;
  peek(): T;
  subscribe(run: (value: T) => void): () => void;
}
export interface ReadonlySignal<T> {
  readonly value: T;
  peek(): T;
  subscribe(run: (value: T) => void): () => void;
}
export function signal<T>(start: T): Signal<T>;
export function computed<T>(make: () => T): ReadonlySignal<T>;
export function effect(run: () => Cleanup): () => void;
export function batch<T>(run: () => T): T;
export function untracked<T>(run: () => T): T;
