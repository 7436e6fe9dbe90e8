/** Sounds of our own making: struck stone, cards, a harp. Nothing is loaded. */
import { sound } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

// Browsers let a page sound only after somebody touched it.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (!sound.value) return;
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
  });
}

/**
 * @param {number} frequency
 * @param {number} after
 * @param {number} length
 * @param {number} loud
 * @param {OscillatorType} [shape]
 */
function tone(frequency, after, length, loud, shape = "triangle") {
  if (!context) return;
  const start = context.currentTime + after;
  const source = context.createOscillator();
  const gain = context.createGain();
  source.type = shape;
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

/** @param {number} frequency @param {number} length @param {number} loud */
function rustle(frequency, length, loud) {
  if (!context) return;
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
  }
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const gain = context.createGain();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = frequency;
  filter.Q.value = 0.9;
  gain.gain.setValueAtTime(loud, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + length);
  source.connect(filter).connect(gain).connect(context.destination);
  source.start();
  source.stop(context.currentTime + length);
}

const SOUNDS = {
  card: () => rustle(2400, 0.12, 0.16),
  stone: () => {
    rustle(700, 0.06, 0.3);
    tone(185, 0, 0.14, 0.16, "sine");
  },
  clover: () => [523, 659, 784].forEach((pitch, i) => tone(pitch, i * 0.07, 0.5, 0.07)),
  wish: () => [880, 1175].forEach((pitch, i) => tone(pitch, i * 0.09, 0.8, 0.06, "sine")),
  points: () => [659, 880].forEach((pitch, i) => tone(pitch, i * 0.06, 0.4, 0.06)),
  turn: () => [392, 587].forEach((pitch, i) => tone(pitch, i * 0.1, 0.6, 0.06)),
  end: () => [392, 494, 587, 784, 988].forEach((pitch, i) => tone(pitch, i * 0.12, 1.2, 0.07)),
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (sound.value && context?.state === "running") SOUNDS[name]();
}
