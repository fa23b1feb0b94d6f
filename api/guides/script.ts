/**
 * The script of a guide. It turns adjacent blocks of one example into tabs by language, and gives each block a button that copies it.
 * Without it all blocks are shown. The language that the reader chose is kept in the browser.
 */
export const SCRIPT = `
const KEY = 'lettermill-guide-language';
const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
const store = (language) => { try { localStorage.setItem(KEY, language); } catch {} };
const examples = [...document.querySelectorAll('.example')].map((example, number) => {
  const panels = [...example.querySelectorAll('.block')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = panel.dataset.language;
    tab.id = 'tab-' + number + '-' + index;
    panel.id = 'panel-' + number + '-' + index;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  list.append(...tabs);
  example.prepend(list);
  example.classList.add('tabs');
  return { list, tabs, panels };
});
function show(language) {
  for (const { tabs, panels } of examples) {
    const found = tabs.findIndex((tab) => tab.textContent === language);
    const chosen = Math.max(0, found);
    tabs.forEach((tab, index) => {
      tab.setAttribute('aria-selected', String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    });
  }
}
function choose(tab) {
  const before = tab.getBoundingClientRect().top;
  show(tab.textContent);
  store(tab.textContent);
  scrollBy(0, tab.getBoundingClientRect().top - before);
}
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
for (const { list, tabs } of examples) {
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  list.addEventListener('keydown', ({ key }) => {
    const step = STEPS[key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
}
show(stored());
if (navigator.clipboard)
  for (const block of document.querySelectorAll('.block')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      try { await navigator.clipboard.writeText(block.querySelector('code').textContent); button.textContent = 'Copied'; }
      catch { button.textContent = 'Not copied'; }
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    block.prepend(button);
  }
`;
