// Files that the page makes itself: the numbers of a figure as CSV, the figure as SVG.

/** One field of a CSV: quoted where it must be; a leading = + - @ that is no number is guarded. */
export function csvField(value) {
  if (value === null || value === undefined) return '';
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text))) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvText(rows) {
  return rows.map((row) => row.map(csvField).join(',') + '\n').join('');
}

export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export const saveCsv = (name, rows) => save(`${name}.csv`, 'text/csv', csvText(rows));
export const saveSvg = (name, svg) =>
  save(`${name}.svg`, 'image/svg+xml', `${new XMLSerializer().serializeToString(svg)}\n`);
