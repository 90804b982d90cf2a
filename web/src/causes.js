// Why jobs waited: the mean wait of each run, stacked by cause.
import { element, svgElement } from './dom.js';
import { figureOf } from './figure.js';
import { duration, tick } from './format.js';
import { linear, timeTicks } from './scale.js';
import { colourOf, onTheme, PAPER, pageTheme } from './theme.js';

const ROW = 34, LEFT = 130, RIGHT = 90, FONT = 'system-ui, Helvetica, Arial, sans-serif';
const HATCHES = ['M0 6L6 0', 'M0 0L6 6', 'M3 0V6', 'M0 3H6', 'M0 0H6V6', '', 'M0 6L3 0L6 6', 'M0 0L3 6L6 0'];

/** [{label, total, parts: [{cause, seconds}]}], means over the jobs with a wait. */
function barsOf(runs, causes) {
  return runs.map(({ label, summary }) => {
    const n = summary.wait_s.n;
    const parts = causes.map((cause) => ({ cause, seconds: n > 0 ? summary.wait_by_cause_s[cause] / n : 0 }));
    return { label, parts, total: parts.reduce((sum, part) => sum + part.seconds, 0) };
  });
}

/** Hatches tell the causes apart in print. */
function patterns(causes, theme, id) {
  return svgElement('defs', {}, ...causes.map((cause, i) => svgElement('pattern', { id: `${id}-${i}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    svgElement('rect', { width: 6, height: 6, fill: colourOf(theme, i) }),
    svgElement('path', { d: HATCHES[i % HATCHES.length], stroke: theme.paper, 'stroke-width': 0.8, fill: 'none' }))));
}

function draw(bars, causes, { width, theme, id, title }) {
  const most = Math.max(1, ...bars.map((bar) => bar.total));
  const scale = linear(0, most);
  const legendRows = Math.ceil(causes.length / Math.max(1, Math.floor((width - LEFT) / 120)));
  const top = 10 + 20 * legendRows, height = top + ROW * bars.length + 34;
  const inner = width - LEFT - RIGHT, across = Math.max(1, Math.floor((width - LEFT) / 120));
  const svg = svgElement('svg', { width, height, viewBox: `0 0 ${width} ${height}`, xmlns: 'http://www.w3.org/2000/svg', 'font-family': FONT, 'font-size': 12, fill: theme.ink });
  if (title) svg.append(svgElement('title', {}, title), svgElement('rect', { width, height, fill: theme.paper }));
  svg.append(patterns(causes, theme, id));
  causes.forEach((cause, i) => {
    const x = LEFT + 120 * (i % across), y = 20 * Math.floor(i / across);
    svg.append(svgElement('rect', { x, y: y + 3, width: 14, height: 12, fill: `url(#${id}-${i})` }), svgElement('text', { x: x + 20, y: y + 13 }, cause));
  });
  for (const value of timeTicks(0, most, 5)) {
    const x = LEFT + scale.place(value) * inner;
    svg.append(svgElement('line', { x1: x, x2: x, y1: top, y2: height - 30, stroke: theme.grid }),
      svgElement('text', { x, y: height - 14, 'text-anchor': 'middle', fill: theme.muted }, tick(value)));
  }
  bars.forEach((bar, row) => {
    const y = top + ROW * row + 6;
    let from = 0;
    const label = bar.label.length > 18 ? `${bar.label.slice(0, 17)}…` : bar.label;
    svg.append(svgElement('text', { x: LEFT - 10, y: y + 15, 'text-anchor': 'end' }, label));
    bar.parts.forEach((part, i) => {
      const x = LEFT + scale.place(from) * inner, wide = scale.place(part.seconds) * inner;
      if (wide > 0) svg.append(svgElement('rect', { x, y, width: wide, height: ROW - 12, fill: `url(#${id}-${i})`, class: 'part' }));
      from += part.seconds;
    });
    svg.append(svgElement('text', { x: LEFT + scale.place(bar.total) * inner + 8, y: y + 15, fill: theme.muted }, duration(bar.total)));
  });
  return svg;
}

export function waitingByCause(runs) {
  const known = Object.keys(runs[0].summary.wait_by_cause_s);
  const causes = known.filter((cause) => runs.some((run) => run.summary.wait_by_cause_s[cause] > 0));
  if (causes.length === 0) return element('p', {}, 'No job waited.');
  const bars = barsOf(runs, causes);
  const frame = element('div', { class: 'drawing' });
  onTheme(() => {
    const svg = draw(bars, causes, { width: Math.max(480, frame.clientWidth || 900), theme: pageTheme(), id: 'cause' });
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', bars.map((bar) => `${bar.label}: ${duration(bar.total)}, of that ` +
      bar.parts.filter((part) => part.seconds > 0).map((part) => `${part.cause} ${duration(part.seconds)}`).join(', ')).join('; '));
    frame.replaceChildren(svg);
  });
  return figureOf({
    name: 'waiting-by-cause', title: 'Why jobs waited', about: 'Mean wait of a job, by what kept it waiting.',
    rows: () => [['run', 'cause', 'mean_wait_s'], ...bars.flatMap((bar) => bar.parts.map((part) => [bar.label, part.cause, part.seconds]))],
    svg: () => draw(bars, causes, { width: 720, theme: PAPER, id: 'cause', title: 'Mean wait of a job by cause' }),
  }, frame);
}
