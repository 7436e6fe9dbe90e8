/**
 * A QR code of a text (ISO/IEC 18004): bytes, error correction L, versions 1 to 10 (271 bytes).
 * Enough for a link; nothing else of the standard is here.
 */

/**
 * By version from 1: error correction codewords a block, and how many blocks of data codewords of
 * each length.
 * @type {[number, [number, number][]][]}
 */
const BLOCKS = [
  [7, [[1, 19]]],
  [10, [[1, 34]]],
  [15, [[1, 55]]],
  [20, [[1, 80]]],
  [26, [[1, 108]]],
  [18, [[2, 68]]],
  [20, [[2, 78]]],
  [24, [[2, 97]]],
  [30, [[2, 116]]],
  [
    18,
    [
      [2, 68],
      [2, 69],
    ],
  ],
];

/** Centres of the alignment patterns by version. */
const ALIGNMENT = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = x & 128 ? (x << 1) ^ 285 : x << 1;
}

/** Reed–Solomon remainder. @param {number[]} data @param {number} count */
function correction(data, count) {
  let divisor = [1];
  for (let i = 0; i < count; i += 1) {
    const next = [...divisor, 0];
    divisor.forEach((value, k) => {
      if (value) next[k + 1] ^= EXP[LOG[value] + i];
    });
    divisor = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const lead = rest[i];
    if (lead) divisor.forEach((value, k) => value && (rest[i + k] ^= EXP[LOG[value] + LOG[lead]]));
  }
  return rest.slice(data.length);
}

/** @param {Uint8Array} bytes @param {number} version @returns {number[]} all codewords in order */
function codewords(bytes, version) {
  const [extra, groups] = BLOCKS[version - 1];
  const capacity = groups.reduce((sum, [count, length]) => sum + count * length, 0);
  const bits = [];
  /** @param {number} value @param {number} count */
  const put = (value, count) => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 236; data.length < capacity; pad ^= 236 ^ 17) data.push(pad);

  const blocks = [];
  let at = 0;
  for (const [count, length] of groups) {
    for (let i = 0; i < count; i += 1, at += length) blocks.push(data.slice(at, at + length));
  }
  const checks = blocks.map((block) => correction(block, extra));
  const longest = Math.max(...blocks.map((block) => block.length));
  const all = [];
  for (let i = 0; i < longest; i += 1)
    for (const block of blocks) if (i < block.length) all.push(block[i]);
  for (let i = 0; i < extra; i += 1) for (const check of checks) all.push(check[i]);
  return all;
}

/** @type {((r: number, c: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** @param {number} data @param {number} bits @param {number} divisor */
function remainder(data, bits, divisor) {
  let rest = data << bits;
  const size = 32 - Math.clz32(divisor);
  while (32 - Math.clz32(rest) >= size) rest ^= divisor << (32 - Math.clz32(rest) - size);
  return (data << bits) | rest;
}

/** How hard a code is to read. @param {number[][]} m */
function penalty(m) {
  const size = m.length;
  let total = 0;
  let dark = 0;
  for (const lines of [m, m[0].map((_, c) => m.map((row) => row[c]))]) {
    for (const line of lines) {
      for (const run of line.join("").match(/0{5,}|1{5,}/g) ?? []) total += run.length - 2;
      total += 40 * (line.join("").match(/(?=10111010000|00001011101)/g) ?? []).length;
    }
  }
  for (let r = 0; r < size; r += 1) {
    for (let c = 0; c < size; c += 1) {
      dark += m[r][c];
      if (
        r &&
        c &&
        m[r][c] === m[r - 1][c] &&
        m[r][c] === m[r][c - 1] &&
        m[r][c] === m[r - 1][c - 1]
      )
        total += 3;
    }
  }
  return total + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

/**
 * @param {string} text
 * @returns {number[][] | null} rows of modules, 1 dark; null if the text is too long
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version =
    BLOCKS.findIndex(([, groups], i) => {
      const room = groups.reduce((sum, [count, length]) => sum + count * length, 0);
      return bytes.length <= room - (i < 9 ? 2 : 3);
    }) + 1;
  if (!version) return null;
  const size = 17 + 4 * version;
  /** @type {(number | null)[][]} */
  const fixed = Array.from({ length: size }, () => Array(size).fill(null));
  /** @param {number} r @param {number} c @param {number} value */
  const set = (r, c, value) => {
    if (r >= 0 && c >= 0 && r < size && c < size) fixed[r][c] = value;
  };
  for (const [r0, c0] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ]) {
    for (let r = -4; r <= 4; r += 1) {
      for (let c = -4; c <= 4; c += 1) {
        const ring = Math.max(Math.abs(r), Math.abs(c));
        set(r0 + r, c0 + c, ring === 2 || ring === 4 ? 0 : 1);
      }
    }
  }
  for (let i = 8; i < size - 8; i += 1) {
    set(6, i, (i + 1) % 2);
    set(i, 6, (i + 1) % 2);
  }
  const centres = ALIGNMENT[version - 1];
  const lastCentre = centres.at(-1);
  for (const r0 of centres) {
    for (const c0 of centres) {
      if ((r0 === 6 && (c0 === 6 || c0 === lastCentre)) || (c0 === 6 && r0 === lastCentre))
        continue;
      for (let r = -2; r <= 2; r += 1)
        for (let c = -2; c <= 2; c += 1)
          set(r0 + r, c0 + c, Math.max(Math.abs(r), Math.abs(c)) === 1 ? 0 : 1);
    }
  }
  /** @param {number} mask */
  const format = (mask) => {
    const word = remainder((1 << 3) | mask, 10, 0x537) ^ 0x5412;
    for (let i = 0; i < 15; i += 1) {
      const bit = (word >> i) & 1;
      set(i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, 8, bit);
      set(8, i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i, bit);
    }
    set(size - 8, 8, 1);
  };
  format(0);
  if (version >= 7) {
    const word = remainder(version, 12, 0x1f25);
    for (let i = 0; i < 18; i += 1) {
      const [a, b] = [Math.floor(i / 3), (i % 3) + size - 11];
      set(a, b, (word >> i) & 1);
      set(b, a, (word >> i) & 1);
    }
  }
  const stream = codewords(bytes, version).flatMap((word) =>
    Array.from({ length: 8 }, (_, i) => (word >> (7 - i)) & 1),
  );
  /** @type {[number, number][]} */
  const free = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let i = 0; i < size; i += 1) {
      const r = up ? size - 1 - i : i;
      for (const c of [right, right - 1]) if (fixed[r][c] === null) free.push([r, c]);
    }
  }
  let best = null;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask += 1) {
    format(mask);
    const m = fixed.map((row) => row.map((value) => value ?? 0));
    free.forEach(([r, c], i) => {
      m[r][c] = (stream[i] ?? 0) ^ (MASKS[mask](r, c) ? 1 : 0);
    });
    const cost = penalty(m);
    if (cost < least) [best, least] = [m, cost];
  }
  return best;
}

/** @param {string} text @returns {{path: string, size: number} | null} */
export function qrPath(text) {
  const modules = qrModules(text);
  if (!modules) return null;
  const path = modules
    .flatMap((row, r) => row.map((dark, c) => (dark ? `M${c} ${r}h1v1h-1z` : "")))
    .join("");
  return { path, size: modules.length };
}
