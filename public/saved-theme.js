// Runs before the first paint, when the database can't be asked yet: the app leaves a copy of its theme setting here.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('jackdaw:theme');
  } catch {
    // Storage is refused: the system's theme it is.
  }
  if (theme !== 'light' && theme !== 'dark') theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme;
})();
