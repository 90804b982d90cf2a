// Colours: those of the page, which follow its light or dark theme, and those of a figure for a
// paper. The series colours are Okabe and Ito's, which the colour-blind can tell apart; dashes tell
// lines apart without any colour.

const SERIES_ON_LIGHT = ['#0072b2', '#d55e00', '#007a5a', '#a0457f', '#8a6d00', '#1a7fb5', '#333333', '#7a4a00'];
const SERIES_ON_DARK = ['#56b4e9', '#ff9d5c', '#3ecfa0', '#f0a6d0', '#f0e442', '#9fd4f5', '#dddddd', '#d8a860'];
const DASHES = ['', '6 3', '2 2', '8 3 2 3', '12 4', '4 2 1 2', '1 3', '10 2 2 2 2 2'];

export const PAPER = { ink: '#000000', muted: '#444444', grid: '#d9d9d9', paper: '#ffffff', series: SERIES_ON_LIGHT };

const listeners = [];

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function pageTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    ink: colour('--ink'), muted: colour('--muted'), grid: colour('--grid'), paper: colour('--card'),
    series: isDark() ? SERIES_ON_DARK : SERIES_ON_LIGHT,
  };
}

export const colourOf = (theme, i) => theme.series[i % theme.series.length];
export const dashOf = (i) => DASHES[i % DASHES.length];

/** Calls `draw` now and whenever the theme changes. */
export function onTheme(draw) {
  listeners.push(draw);
  draw();
}

/** The button that turns the theme over. */
export function themeButton(button) {
  const tell = () => {
    button.textContent = isDark() ? 'Light theme' : 'Dark theme';
    for (const draw of listeners) draw();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    tell();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);
  button.textContent = isDark() ? 'Light theme' : 'Dark theme';
}
