/**
 * What a search finds: text, or a regular expression between slashes.
 * @param {string} search
 * @returns {(feature: import('./types').Feature) => boolean}
 */
export function matcher(search) {
  const text = search.trim();
  const slashes = /^\/(.+)\/$/.exec(text);
  if (slashes) {
    try {
      const expression = new RegExp(slashes[1], 'i');
      return (f) => expression.test(f.name) || expression.test(f.display);
    } catch {
      return () => false;
    }
  }
  const lower = text.toLowerCase();
  return (f) => `${f.name} ${f.display} ${f.toolTip}`.toLowerCase().includes(lower);
}
