// Numbers as the page shows them. null is "nobody can say": a dash, never 0.

const NONE = '–';
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** 1234567 -> "1,234,567". */
export function count(value) {
  return isNumber(value) ? Math.round(value).toLocaleString('en-US') : NONE;
}

/** Seconds: "1 d 03 h", "16 m 31 s", "4.2 s", "0 s": two units, as the program's own tables. */
export function duration(seconds) {
  if (!isNumber(seconds)) return NONE;
  const sign = seconds < 0 ? '-' : '';
  const s = Math.abs(seconds);
  const two = (value) => String(value).padStart(2, '0');
  if (s < 60) return `${sign}${Number(s.toFixed(s < 10 ? 1 : 0))} s`;
  const whole = Math.round(s);
  if (whole < 3600) return `${sign}${Math.floor(whole / 60)} m ${two(whole % 60)} s`;
  const minutes = Math.round(s / 60);
  if (minutes < 1440) return `${sign}${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  const hours = Math.round(s / 3600);
  return `${sign}${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** 0.6328 -> "0.63". */
export function fraction(value) {
  return isNumber(value) ? value.toFixed(2) : NONE;
}

/** -0.105 -> "-10.5 %". */
export function percent(value) {
  return isNumber(value) ? `${(100 * value).toFixed(1)} %` : NONE;
}

/** A tick of an axis in seconds: "1 s", "10 m", "1 h", "1 d". */
export function tick(seconds) {
  for (const [unit, name] of [[86400, 'd'], [3600, 'h'], [60, 'm']])
    if (seconds >= unit) return `${Number((seconds / unit).toPrecision(3))} ${name}`;
  return `${Number(seconds.toPrecision(3))} s`;
}
