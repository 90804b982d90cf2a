// Lines over a common x axis, as SVG: cumulative distributions on the page, and any figure of lines
// for a paper.
import { svgElement } from './dom.js';
import { linear, logarithmic, logTimeTicks, ticks, timeTicks } from './scale.js';
import { colourOf, dashOf } from './theme.js';
import { tick } from './format.js';

/**
 * @typedef {{label: string, x: number[], y: number[]}} Series  y null: a gap
 * @typedef {{title: string, x: string, y: string, log?: boolean, step?: boolean, from?: number, to?: number,
 *            series: Series[]}} Figure  x in seconds
 */

const MARGIN = { left: 62, right: 14, top: 12, bottom: 46 };
const TICK_ROOM = 40;
const FONT = 'system-ui, Helvetica, Arial, sans-serif';

function extent(figure) {
  let from = Infinity, to = -Infinity, top = -Infinity;
  for (const { x, y } of figure.series) {
    for (const value of x) { if (value < from) from = value; if (value > to) to = value; }
    for (const value of y) if (value !== null && value > top) top = value;
  }
  if (!(to >= from)) { from = 0; to = 1; }
  return { from, to, top: figure.to ?? (top > 0 ? top : 1) };
}

export function scales(figure) {
  const { from, to, top } = extent(figure);
  const x = figure.log ? logarithmic(1, to) : linear(from, to);
  const bottom = figure.from ?? 0;
  return {
    x, y: linear(bottom, figure.to ?? top * 1.04),
    xTicks: figure.log ? logTimeTicks(1, x.to) : timeTicks(x.from, x.to), yTicks: ticks(bottom, top),
  };
}

/** Keeps the least and the most of each pixel, so that a line of any length is a few kilobytes. */
function points(series, place, width) {
  const list = [];
  let column = -1, low = null, high = null;
  const flush = () => {
    if (low === null) return;
    list.push(low[2] <= high[2] ? low : high);
    if (low !== high) list.push(low[2] <= high[2] ? high : low);
    low = high = null;
  };
  for (let i = 0; i < series.x.length; ++i) {
    if (series.y[i] === null) { flush(); list.push(null); continue; }
    const [px, py] = place(series.x[i], series.y[i]);
    const at = Math.floor(px * 2);
    if (at !== column) { flush(); column = at; }
    const point = [px, py, i];
    if (low === null || py > low[1]) low = point;
    if (high === null || py < high[1]) high = point;
  }
  flush();
  return list;
}

function path(series, place, step) {
  let text = '', pen = 'M', last = null;
  const round = (value) => Math.round(value * 10) / 10;
  for (const point of points(series, place)) {
    if (point === null) { pen = 'M'; continue; }
    const [x, y] = [round(point[0]), round(point[1])];
    if (step && pen === 'L') text += `L${x} ${last}`;
    text += `${pen}${x} ${y}`;
    pen = 'L';
    last = y;
  }
  return text;
}

function axes(figure, box, scale, theme) {
  const { left, top, width, height } = box;
  const group = svgElement('g', { 'font-family': FONT, 'font-size': 12, fill: theme.muted });
  let written = -Infinity;
  for (const value of scale.xTicks) {
    const x = left + scale.x.place(value) * width, fits = x - written >= TICK_ROOM;
    if (fits) written = x;
    group.append(svgElement('line', { x1: x, x2: x, y1: top, y2: top + height, stroke: theme.grid }));
    if (fits) group.append(svgElement('text', { x, y: top + height + 17, 'text-anchor': 'middle' }, figure.log && value === 1 ? '≤ 1 s' : tick(value)));
  }
  for (const value of scale.yTicks) {
    const y = top + height - scale.y.place(value) * height;
    group.append(
      svgElement('line', { x1: left, x2: left + width, y1: y, y2: y, stroke: theme.grid }),
      svgElement('text', { x: left - 8, y: y + 4, 'text-anchor': 'end' }, value.toLocaleString('en-US')));
  }
  group.append(
    svgElement('path', { d: `M${left} ${top}V${top + height}H${left + width}`, fill: 'none', stroke: theme.muted }),
    svgElement('text', { x: left + width / 2, y: top + height + 38, 'text-anchor': 'middle', fill: theme.ink }, figure.x),
    svgElement('text', { transform: `translate(14 ${top + height / 2}) rotate(-90)`, 'text-anchor': 'middle', fill: theme.ink }, figure.y));
  return group;
}

function legend(figure, theme, width) {
  const group = svgElement('g', { 'font-family': FONT, 'font-size': 12, fill: theme.ink });
  let x = MARGIN.left, y = 0;
  figure.series.forEach((series, i) => {
    const room = 46 + 7 * series.label.length;
    if (x + room > width && x > MARGIN.left) { x = MARGIN.left; y += 18; }
    group.append(
      svgElement('line', { x1: x, x2: x + 26, y1: y + 9, y2: y + 9, stroke: colourOf(theme, i), 'stroke-width': 2, 'stroke-dasharray': dashOf(i) || undefined }),
      svgElement('text', { x: x + 32, y: y + 13 }, series.label));
    x += room;
  });
  return { group, height: y + 24 };
}

/** The whole figure: legend, axes and lines. `onPage`: without its title, which the page has. */
export function drawLines(figure, { width, height, theme, onPage = false }) {
  const key = legend(figure, theme, width);
  const box = { left: MARGIN.left, top: MARGIN.top + key.height, width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom - key.height };
  const scale = scales(figure);
  const place = (x, y) => [box.left + scale.x.place(x) * box.width, box.top + box.height - scale.y.place(y) * box.height];
  const svg = svgElement('svg', { width, height, viewBox: `0 0 ${width} ${height}`, xmlns: 'http://www.w3.org/2000/svg' });
  if (!onPage) svg.append(svgElement('title', {}, figure.title), svgElement('rect', { width, height, fill: theme.paper }));
  svg.append(key.group, axes(figure, box, scale, theme));
  figure.series.forEach((series, i) => svg.append(svgElement('path', {
    d: path(series, place, figure.step), fill: 'none', stroke: colourOf(theme, i), 'stroke-width': 1.8,
    'stroke-dasharray': dashOf(i) || undefined, 'stroke-linejoin': 'round', class: 'series' })));
  return { svg, box, scale };
}

/** One row a point: what the CSV button gives. */
export function rowsOf(figure) {
  const rows = [['run', figure.csvX ?? 'x', figure.csvY ?? 'y']];
  for (const { label, x, y } of figure.series) for (let i = 0; i < x.length; ++i) rows.push([label, x[i], y[i]]);
  return rows;
}

/** The value of a step function at x: of the last point not after it. */
export function valueAt(series, x) {
  let low = 0, high = series.x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (series.x[middle] <= x) low = middle + 1; else high = middle;
  }
  return low === 0 ? null : series.y[low - 1];
}

