// Who held which GPU when: one lane a GPU, nodes one below the other. Drawn on a canvas, as there
// may be hundreds of thousands of stretches.
import { button, element } from './dom.js';
import { figureOf } from './figure.js';
import { duration, tick } from './format.js';
import { timeTicks } from './scale.js';
import { colourOf, onTheme, pageTheme } from './theme.js';

const HEIGHT = 460, LEFT = 70, BOTTOM = 26;

class Gantt {
  constructor(frame, canvas, reading, data) {
    Object.assign(this, { frame, canvas, reading });
    this.use(data);
    this.listen();
  }

  use(data) {
    this.data = data;
    this.lanes = data.nodes * data.gpus_per_node;
    this.last = data.end_s.reduce((a, b) => Math.max(a, b), 1);
    this.showAll();
  }

  showAll() {
    this.view = { from: 0, to: this.last, top: 0, lanes: this.lanes };
  }

  /** Keeps the view within the data. */
  look(view) {
    const span = Math.min(Math.max(view.to - view.from, 1), this.last), lanes = Math.min(Math.max(view.lanes, 4), this.lanes);
    const from = Math.min(Math.max(view.from, 0), this.last - span), top = Math.min(Math.max(view.top, 0), this.lanes - lanes);
    this.view = { from, to: from + span, top, lanes };
    this.draw();
  }

  zoom(factor, atX = 0.5, atY = 0.5) {
    const { from, to, top, lanes } = this.view;
    const span = (to - from) * factor, tall = lanes * factor;
    this.look({ from: from + (to - from) * atX - span * atX, to: from + (to - from) * atX + span * (1 - atX), top: top + lanes * atY - tall * atY, lanes: tall });
  }

  move(right, down) {
    const { from, to, top, lanes } = this.view;
    this.look({ from: from + right * (to - from), to: to + right * (to - from), top: top + down * lanes, lanes });
  }

  listen() {
    const keys = { ArrowLeft: () => this.move(-0.2, 0), ArrowRight: () => this.move(0.2, 0), ArrowUp: () => this.move(0, -0.2), ArrowDown: () => this.move(0, 0.2),
      '+': () => this.zoom(0.6), '=': () => this.zoom(0.6), '-': () => this.zoom(1 / 0.6), 0: () => { this.showAll(); this.draw(); } };
    this.frame.addEventListener('keydown', (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [(event.clientX - box.left - LEFT) / (box.width - LEFT), (event.clientY - box.top) / (HEIGHT - BOTTOM)];
    };
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && document.activeElement !== this.frame) return;  // the page scrolls
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, ...place(event));
    }, { passive: false });
    let held = null;
    this.canvas.addEventListener('pointerdown', (event) => { held = place(event); this.canvas.setPointerCapture(event.pointerId); this.frame.focus(); });
    this.canvas.addEventListener('pointerup', () => { held = null; });
    this.canvas.addEventListener('pointermove', (event) => {
      const now = place(event);
      if (held) {
        this.move(held[0] - now[0], held[1] - now[1]);
        held = now;
      } else {
        this.read(now);
      }
    });
  }

  /** Says what lies at a place of the view. */
  read([x, y]) {
    const { from, to, top, lanes } = this.view, time = from + x * (to - from), lane = Math.floor(top + y * lanes);
    const d = this.data;
    if (x < 0 || y > 1 || lane >= this.lanes) return;
    for (let i = d.start_s.length; i-- > 0;) {
      if (d.start_s[i] > time || d.end_s[i] <= time || lane < d.lane[i] || lane >= d.lane[i] + d.lanes[i]) continue;
      this.reading.textContent = `node ${Math.floor(lane / d.gpus_per_node)}, GPU ${lane % d.gpus_per_node}: job ${d.ids[d.job[i]]}, ${d.gpus[i]} GPUs, ` +
        `from ${duration(d.start_s[i])} for ${duration(d.end_s[i] - d.start_s[i])}, ${d.why[d.ended[i]]}`;
      return;
    }
    this.reading.textContent = `node ${Math.floor(lane / d.gpus_per_node)}, GPU ${lane % d.gpus_per_node}: free at ${duration(time)}`;
  }

  draw() {
    const theme = pageTheme(), ratio = devicePixelRatio || 1, width = Math.max(320, this.frame.clientWidth || 900);
    this.canvas.width = width * ratio;
    this.canvas.height = HEIGHT * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${HEIGHT}px`;
    const pen = this.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.fillStyle = theme.paper;
    pen.fillRect(0, 0, width, HEIGHT);
    this.drawStretches(pen, theme, width);
    this.drawAxes(pen, theme, width);
  }

  drawStretches(pen, theme, width) {
    const { from, to, top, lanes } = this.view, d = this.data;
    const perSecond = (width - LEFT) / (to - from), perLane = (HEIGHT - BOTTOM) / lanes;
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width - LEFT, HEIGHT - BOTTOM);
    pen.clip();
    for (let i = 0; i < d.start_s.length; ++i) {
      if (d.end_s[i] < from || d.start_s[i] > to || d.lane[i] + d.lanes[i] < top || d.lane[i] > top + lanes) continue;
      const x = LEFT + (d.start_s[i] - from) * perSecond, y = (d.lane[i] - top) * perLane;
      const wide = Math.max((d.end_s[i] - d.start_s[i]) * perSecond, 0.6), tall = Math.max(d.lanes[i] * perLane - (perLane > 4 ? 1 : 0), 0.6);
      pen.fillStyle = colourOf(theme, d.job[i]);
      pen.fillRect(x, y, wide, tall);
      if (wide > 3) {  // where the job goes on as another one of the same colour
        pen.fillStyle = theme.paper;
        pen.fillRect(x + wide - 0.7, y, 0.7, tall);
      }
    }
    pen.restore();
  }

  drawAxes(pen, theme, width) {
    const { from, to, top, lanes } = this.view, g = this.data.gpus_per_node;
    pen.font = '12px system-ui, sans-serif';
    pen.fillStyle = pen.strokeStyle = theme.muted;
    pen.textAlign = 'center';
    for (const time of timeTicks(from, to, Math.floor(width / 110))) {
      const x = LEFT + ((time - from) / (to - from)) * (width - LEFT);
      pen.fillText(tick(time), Math.min(x, width - 22), HEIGHT - 8);
    }
    pen.textAlign = 'right';
    const perNode = (g * (HEIGHT - BOTTOM)) / lanes, every = Math.max(1, Math.ceil(16 / perNode));
    for (let node = Math.ceil(top / g / every) * every; node * g < top + lanes; node += every)
      pen.fillText(`node ${node}`, LEFT - 8, ((node * g - top) / lanes) * (HEIGHT - BOTTOM) + 12);
  }
}

export function gantts(runs) {
  const reading = element('p', { class: 'reading', 'aria-live': 'polite' }, ' ');
  const canvas = element('canvas', { 'aria-hidden': 'true' });
  const frame = element('div', { class: 'drawing gantt', tabindex: '0', role: 'group',
    'aria-label': 'GPUs over time. Arrow keys move, plus and minus zoom, 0 shows all.' }, canvas);
  let shown = runs[0], gantt = null;
  const show = () => { gantt = new Gantt(frame, canvas, reading, shown.gantt); gantt.draw(); };
  const choose = element('select', { id: 'gantt-run' }, ...runs.map((run, i) => element('option', { value: i }, run.label)));
  choose.addEventListener('change', () => {
    shown = runs[choose.value];
    gantt.use(shown.gantt);
    gantt.draw();
  });
  new ResizeObserver(() => { if (gantt && frame.clientWidth && Math.abs(frame.clientWidth - parseFloat(canvas.style.width)) > 2) gantt.draw(); }).observe(frame);
  const rows = () => {
    const d = shown.gantt;
    return [['job_id', 'start_s', 'end_s', 'why_ended', 'gpus', 'node', 'first_gpu', 'gpus_here'],
      ...d.start_s.map((start, i) => [d.ids[d.job[i]], start, d.end_s[i], d.why[d.ended[i]], d.gpus[i], Math.floor(d.lane[i] / d.gpus_per_node), d.lane[i] % d.gpus_per_node, d.lanes[i]])];
  };
  const controls = [
    ...(runs.length > 1 ? [element('label', { for: 'gantt-run' }, 'Run '), choose] : []),
    button('Zoom in', () => gantt.zoom(0.6), { 'aria-label': 'GPUs over time: zoom in' }), button('Zoom out', () => gantt.zoom(1 / 0.6), { 'aria-label': 'GPUs over time: zoom out' }),
    button('All', () => { gantt.showAll(); gantt.draw(); }, { 'aria-label': 'GPUs over time: show all' })];
  const shell = figureOf({
    name: 'gpus-over-time', title: 'GPUs over time', rows,
    about: 'One lane a GPU, one colour a job (colours repeat). Drag to move; click, then turn the wheel to zoom.',
  }, element('div', {}, frame, reading), controls);
  return { shell, start: () => onTheme(() => (gantt ? gantt.draw() : show())) };
}
