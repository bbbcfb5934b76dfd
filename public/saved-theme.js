// Runs before the first paint, when the database can't be asked yet: the app leaves a copy of its theme setting here.
(() => {
  try {
    const theme = localStorage.getItem('jackdaw:theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is refused: the system's theme it is.
  }
})();
