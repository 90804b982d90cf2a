// From values to places on an axis, and the values to write beside it.

const TIMES = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 432000,
  864000, 1728000, 4320000, 8640000];
const DECADES = [1, 10, 60, 600, 3600, 36000, 86400, 864000, 8640000, 86400000];

export function linear(from, to) {
  const span = to > from ? to - from : 1;
  return { from, to: from + span, place: (value) => (value - from) / span };
}

/** What is below `from` lies on the edge: a log scale has no 0. */
export function logarithmic(from, to) {
  const low = Math.log10(from);
  const span = Math.max(Math.log10(Math.max(to, from * 10)) - low, 1e-9);
  return { from, to: Math.max(to, from * 10), place: (value) => Math.max(0, (Math.log10(Math.max(value, from)) - low) / span) };
}

/** Round numbers, at most `most` of them. */
export function ticks(from, to, most = 6) {
  const span = to - from || 1;
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => span / s <= most) ?? 10 * power;
  const list = [];
  for (let k = Math.ceil(from / step); k * step <= to + step * 1e-9; ++k) list.push(Number((k * step).toPrecision(12)));
  return list;
}

/** Round times in seconds. */
export function timeTicks(from, to, most = 6) {
  const step = TIMES.find((time) => (to - from) / time <= most);
  if (!step) return ticks(from, to, most);
  const list = [];
  for (let k = Math.ceil(from / step); k * step <= to; ++k) list.push(k * step);
  return list;
}

export const logTimeTicks = (from, to) => DECADES.filter((time) => time >= from && time <= to);
