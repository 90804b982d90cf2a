// Cumulative distributions, with a reading line that follows the pointer or the arrow keys.
import { element, svgElement } from './dom.js';
import { figureOf } from './figure.js';
import { duration } from './format.js';
import { drawLines, rowsOf, valueAt } from './lines.js';
import { onTheme, PAPER, pageTheme } from './theme.js';

const HEIGHT = 320, STEPS = 60;

/** Where a reading of the log axis lies between its ends, 0 to 1, as a time. */
const timeAt = (scale, place) => scale.from * (scale.to / scale.from) ** place;

export function distribution({ name, title, about, runs, of, xTitle }) {
  const figure = {
    title, x: `${xTitle} (log scale)`, y: 'fraction of jobs', csvX: `${of}_s`, csvY: 'fraction', log: true, step: true, from: 0, to: 1,
    series: runs.filter((run) => run[of].x.length > 0).map((run) => ({ label: run.label, ...run[of] })),
  };
  const reading = element('p', { class: 'reading', 'aria-live': 'polite' });
  const frame = element('div', { class: 'drawing', tabindex: '0', role: 'group',
    'aria-label': `${title}. Left and right arrow keys move a reading line.` });
  let drawn = null, place = 0.5;

  const read = () => {
    const { box, scale, marker } = drawn;
    const time = timeAt(scale.x, place);
    const x = box.left + place * box.width;
    marker.setAttribute('d', `M${x} ${box.top}V${box.top + box.height}`);
    reading.textContent = `${duration(time)} or less: ` + figure.series
      .map((series) => `${series.label} ${(100 * (valueAt(series, time) ?? 0)).toFixed(1)} %`).join(', ');
  };
  const draw = () => {
    const width = Math.max(320, frame.clientWidth || 640);
    const theme = pageTheme();
    drawn = drawLines(figure, { width, height: HEIGHT, theme, onPage: true });
    drawn.svg.setAttribute('aria-hidden', 'true');
    drawn.marker = svgElement('path', { stroke: theme.ink, 'stroke-dasharray': '2 3' });
    drawn.svg.append(drawn.marker);
    frame.replaceChildren(drawn.svg);
    read();
  };
  frame.addEventListener('pointermove', (event) => {
    const { box } = drawn;
    place = Math.min(1, Math.max(0, (event.clientX - frame.getBoundingClientRect().left - box.left) / box.width));
    read();
  });
  frame.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    place = Math.min(1, Math.max(0, place + by / STEPS));
    read();
  });
  new ResizeObserver(() => { if (frame.clientWidth && drawn && Math.abs(frame.clientWidth - drawn.svg.getAttribute('width')) > 2) draw(); }).observe(frame);
  onTheme(draw);
  return figureOf({
    name, title, about, rows: () => rowsOf(figure),
    svg: () => drawLines(figure, { width: 640, height: 400, theme: PAPER }).svg,
  }, element('div', {}, frame, reading));
}

