// The cluster over time: GPUs, queue and utilization, drawn by uPlot, zoomed together.
import uPlot from 'uplot';
import { button, element } from './dom.js';
import { figureOf } from './figure.js';
import { duration, tick } from './format.js';
import { drawLines, rowsOf } from './lines.js';
import { timeTicks } from './scale.js';
import { colourOf, dashOf, onTheme, PAPER, pageTheme } from './theme.js';

const HEIGHT = 230;

/** Steps of the runs on one time axis: uPlot wants one, and the steps of all runs are the same. */
function columns(runs, value) {
  const longest = runs.reduce((a, b) => (b.timeline.time_s.length > a.timeline.time_s.length ? b : a));
  const time = longest.timeline.time_s;
  return [time, ...runs.map((run) => {
    const list = new Array(time.length).fill(null);
    for (let i = 0; i < run.timeline.time_s.length; ++i) list[i] = value(run.timeline, i);
    return list;
  })];
}

function chart(frame, runs, data, yTitle, top, sync) {
  const theme = pageTheme();
  const axis = { stroke: theme.muted, grid: { stroke: theme.grid, width: 1 }, ticks: { stroke: theme.grid } };
  return new uPlot({
    width: Math.max(320, frame.clientWidth || 900), height: HEIGHT,
    cursor: { sync: { key: sync }, drag: { x: true, y: false } },
    scales: { x: { time: false }, y: { range: (u, low, high) => [0, top ?? Math.max(1, high * 1.05)] } },
    axes: [
      { ...axis, splits: (u, i, from, to) => timeTicks(from, to, Math.max(3, Math.floor(u.width / 110))), values: (u, splits) => splits.map(tick) },
      { ...axis, label: yTitle, labelSize: 22, size: 62 },
    ],
    series: [
      { label: 'time', value: (u, value) => (value === null ? '–' : duration(value)) },
      ...runs.map((run, i) => ({
        label: run.label, stroke: colourOf(theme, i), width: 1.4, dash: dashOf(i) ? dashOf(i).split(' ').map(Number) : undefined, points: { show: false },
        paths: uPlot.paths.stepped({ align: 1 }), value: (u, value) => (value === null ? '–' : Number(value.toFixed(2)).toLocaleString('en-US')),
      })),
    ],
  }, data, frame);
}

function panel({ name, title, about, yTitle, runs, value, top, group }) {
  const frame = element('div', { class: 'drawing plot', tabindex: '0', role: 'group',
    'aria-label': `${title}. Plus and minus zoom, left and right arrow keys move, 0 shows all.` });
  const data = columns(runs, value);
  let plot = null;
  const range = () => [plot.scales.x.min, plot.scales.x.max];
  const show = (from, to) => { for (const one of group) one().setScale('x', { min: from, max: to }); };
  const zoom = (factor, shift = 0) => {
    const all = data[0], first = all[0], last = all[all.length - 1] + (all[1] - all[0] || 1);
    const [from, to] = range(), middle = (from + to) / 2 + shift * (to - from), half = Math.min((to - from) * factor, last - first) / 2;
    const low = Math.min(Math.max(middle - half, first), last - 2 * half);
    show(low, low + 2 * half);
  };
  frame.addEventListener('keydown', (event) => {
    const act = { '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: () => zoom(Infinity), ArrowLeft: () => zoom(1, -0.2), ArrowRight: () => zoom(1, 0.2) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const draw = () => {
    const kept = plot && range();
    plot?.destroy();
    plot = chart(frame, runs, data, yTitle, top, 'timeline');
    if (kept) plot.setScale('x', { min: kept[0], max: kept[1] });
  };
  group.push(() => plot);
  new ResizeObserver(() => { if (plot && frame.clientWidth && Math.abs(frame.clientWidth - plot.width) > 2) plot.setSize({ width: frame.clientWidth, height: HEIGHT }); }).observe(frame);
  const figure = () => ({
    title, x: 'time since the first submit of the trace', y: yTitle, step: true, from: 0, to: top, csvX: 'time_s', csvY: name.replaceAll('-', '_'),
    series: runs.map((run, i) => ({ label: run.label, x: run.timeline.time_s, y: data[i + 1].slice(0, run.timeline.time_s.length) })),
  });
  const shell = figureOf({
    name, title, about, rows: () => rowsOf(figure()), svg: () => drawLines(figure(), { width: 720, height: 320, theme: PAPER }).svg,
  }, frame, [button('Zoom in', () => zoom(0.5), { 'aria-label': `${title}: zoom in` }), button('Zoom out', () => zoom(2), { 'aria-label': `${title}: zoom out` }),
    button('All', () => zoom(Infinity), { 'aria-label': `${title}: show all` })]);
  return { shell, draw };
}

export function timelines(runs) {
  const group = [];
  const total = Math.max(...runs.map((run) => Math.max(...run.timeline.gpus_total.slice(0, 1))));
  const panels = [
    panel({ name: 'gpus-busy', title: 'GPUs in use', about: `Mean over each step, of ${total.toLocaleString('en-US')} GPUs. Drag to zoom; all three figures follow.`, yTitle: 'GPUs', runs, group, value: (t, i) => t.gpus_busy[i] }),
    panel({ name: 'jobs-waiting', title: 'Jobs waiting', about: 'Mean length of the queue over each step.', yTitle: 'jobs', runs, group, value: (t, i) => t.jobs_waiting[i] }),
    panel({ name: 'utilization', title: 'Utilization', about: 'GPUs in use over GPUs there are, mean over each step.', yTitle: 'fraction', runs, group, top: 1, value: (t, i) => (t.gpus_total[i] > 0 ? t.gpus_busy[i] / t.gpus_total[i] : null) }),
  ];
  return { shells: panels.map((one) => one.shell), start: () => panels.forEach((one) => onTheme(one.draw)) };
}
