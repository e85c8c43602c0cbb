// Before the page is painted: light, dark, or what the system says.
(() => {
  const stored = localStorage.getItem("genspec.theme");
  if (stored) document.documentElement.dataset.theme = stored;
})();
