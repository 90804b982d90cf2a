// The tables: a summary of the runs, and each VC and gang size.
import { button, element } from './dom.js';
import { saveCsv } from './download.js';
import { count, duration, fraction, percent } from './format.js';

/** A cell that keeps its exact number beside the readable one. */
function cell(value, text, detail) {
  return element('td', { class: 'number', 'data-value': value ?? '', title: value === null || value === undefined ? null : String(value) },
    text, detail ? element('small', {}, detail) : null);
}

/** @param columns [{title, csv, text: (value) => string}]  @param rows [{label, values: number[]}] */
function table({ name, title, about, first, columns, rows, notes = [] }) {
  const csv = () => [[first, ...columns.map((column) => column.csv)], ...rows.map((row) => [row.label, ...row.values])];
  const head = element('tr', {}, element('th', { scope: 'col' }, first), ...columns.map((column) => element('th', { scope: 'col', class: 'number' }, column.title)));
  const body = rows.map((row) => element('tr', { class: row.kind },
    element('th', { scope: 'row' }, row.label),
    ...row.values.map((value, i) => cell(value, row.texts?.[i] ?? (value === undefined ? '' : columns[i].text(value)), row.details?.[i]))));
  return element('section', { class: 'card', id: name, 'aria-labelledby': `${name}-title` },
    element('div', { class: 'head' }, element('h3', { id: `${name}-title` }, title),
      element('div', { class: 'buttons' }, button('CSV', () => saveCsv(name, csv()), { 'aria-label': `${title} as CSV` }))),
    about ? element('p', { class: 'about' }, about) : null,
    element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-labelledby': `${name}-title` }, element('table', {}, element('thead', {}, head), element('tbody', {}, ...body))),
    ...notes.map((note) => element('p', { class: 'note' }, note)));
}

const SUMMARY = [
  { title: 'jobs', csv: 'jobs', text: count, of: (row) => row.summary.jct_s.n },
  { title: 'JCT mean', csv: 'jct_mean_s', text: duration, of: (row) => row.jct_mean_s },
  { title: 'JCT p50', csv: 'jct_p50_s', text: duration, of: (row) => row.jct_p50_s },
  { title: 'JCT p99', csv: 'jct_p99_s', text: duration, of: (row) => row.jct_p99_s },
  { title: 'wait mean', csv: 'wait_mean_s', text: duration, of: (row) => row.wait_mean_s },
  { title: 'wait p99', csv: 'wait_p99_s', text: duration, of: (row) => row.wait_p99_s },
  { title: 'utilization', csv: 'utilization', text: fraction, of: (row) => row.utilization },
  { title: 'preemptions', csv: 'preemptions', text: count, of: (row) => row.preemptions },
  { title: 'makespan', csv: 'makespan_s', text: duration, of: (row) => row.makespan_s },
];
const CHANGE = { title: 'change', csv: 'change_of_mean_jct', text: percent, of: (row) => row.change_of_mean_jct };

const interval = (ends, text) => (ends ? `${text(ends[0])} to ${text(ends[1])}` : undefined);

/** "-10.5 %", and plainly when that is no difference. */
function changeText(row, isFirst) {
  if (isFirst) return 'first row';
  return row.change_interval && !row.distinguishable ? 'not distinguishable' : percent(row.change_of_mean_jct);
}

/** One table a load: policies, with lower bounds below them. */
export function summaryTables(comparison) {
  return comparison.loads.map((load, k) => {
    const rows = comparison.rows.filter((row) => row.load === load.load);
    const columns = rows.length > 1 ? SUMMARY.toSpliced(2, 0, CHANGE) : SUMMARY;
    const change = columns.indexOf(CHANGE);
    const lines = rows.map((row, i) => {
      const values = columns.map((column) => column.of(row));
      const texts = [], details = [];
      details[1] = interval(row.jct_mean_interval_s, duration);
      if (change >= 0) {
        texts[change] = changeText(row, i === 0);
        details[change] = i === 0 ? undefined : interval(row.change_interval, percent);
      }
      return { label: row.policy, values, texts, details };
    });
    if (load.bounds && load.bounds.jct_mean_s !== null) {
      const values = columns.map((column) => ({ jct_mean_s: load.bounds.jct_mean_s, makespan_s: load.bounds.makespan_s })[column.csv]);
      lines.push({ label: 'lower bound', values, kind: 'bound' });
    }
    const several = comparison.loads.length > 1;
    return table({
      name: several ? `summary-${k + 1}` : 'summary', title: several ? `Policies at load ${load.load}` : rows.length > 1 ? 'Policies' : 'Summary', first: 'policy', columns, rows: lines,
      about: rows.length > 1 ? `The ${count(load.jobs_compared)} jobs that every policy finished${load.jobs_left_out > 0 ? `; ${count(load.jobs_left_out)} were not` : ''}.` : null,
      notes: rows.length > 1 ? [`Changes are against the first row. Small: ${Math.round(100 * load.confidence)} % intervals, ${load.intervals}.`] : [],
    });
  });
}

/** One row a group, the runs side by side. */
function groups(name, title, first, runs, key, order) {
  const labels = [...new Set(runs.flatMap((run) => Object.keys(run.summary[key] ?? {})))].sort(order);
  if (labels.length === 0) return null;
  const columns = [{ title: 'jobs', csv: 'jobs', text: count }, ...runs.flatMap((run) => [
    { title: `${run.label}: JCT mean`, csv: `${run.label}_jct_mean_s`, text: duration }, { title: `${run.label}: wait mean`, csv: `${run.label}_wait_mean_s`, text: duration }])];
  const rows = labels.map((label) => {
    const of = runs.map((run) => run.summary[key]?.[label]);
    return { label: label === '' ? '(none)' : label, values: [of.find((one) => one)?.jobs ?? null, ...of.flatMap((one) => [one?.jct_s.mean ?? null, one?.wait_s.mean ?? null])] };
  });
  return table({ name, title, first, columns, rows, about: null });
}

export function groupTables(runs) {
  const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return [groups('by-size', 'By gang size', 'GPUs', runs, 'by_size', (a, b) => Number(a) - Number(b)), groups('by-vc', 'By VC', 'VC', runs, 'by_vc', byText)].filter((one) => one);
}
