// The frame of a figure: heading, what it shows, the drawing, and its buttons.
import { button, element } from './dom.js';
import { saveCsv, saveSvg } from './download.js';

let figures = 0;

/**
 * @param {{title: string, about: string, name: string, rows: () => unknown[][], svg?: () => SVGElement}} what
 *   rows: the numbers; svg: the figure for a paper
 * @param {Node} drawing
 */
export function figureOf(what, drawing, controls = []) {
  const id = `figure-${++figures}`;
  const buttons = element('div', { class: 'buttons' }, ...controls,
    button('CSV', () => saveCsv(what.name, what.rows()), { 'aria-label': `${what.title}: numbers as CSV` }),
    what.svg ? button('SVG', () => saveSvg(what.name, what.svg()), { 'aria-label': `${what.title}: figure as SVG` }) : null);
  return element('figure', { 'aria-labelledby': id, id: what.name },
    element('div', { class: 'head' }, element('h3', { id }, what.title), buttons),
    element('p', { class: 'about' }, what.about), drawing);
}
