const COPIED = [
  "boxSizing",
  "width",
  "borderTopWidth",
  "borderRightWidth",
  "borderBottomWidth",
  "borderLeftWidth",
  "paddingTop",
  "paddingRight",
  "paddingBottom",
  "paddingLeft",
  "fontStyle",
  "fontWeight",
  "fontSize",
  "fontFamily",
  "lineHeight",
  "letterSpacing",
  "textIndent",
  "textTransform",
  "tabSize",
] as const;

/**
 * Returns where the character `index` of a text field stands below its line, in pixels from the
 * field's corner. A browser tells this of text, and not of fields: a hidden copy is measured.
 */
export function caretPlace(
  area: HTMLTextAreaElement,
  index: number,
): { left: number; top: number } {
  const copy = document.createElement("div");
  const style = getComputedStyle(area);
  for (const name of COPIED) copy.style[name] = style[name];
  copy.style.position = "absolute";
  copy.style.visibility = "hidden";
  copy.style.whiteSpace = "pre-wrap";
  copy.style.overflowWrap = "break-word";
  copy.textContent = area.value.slice(0, index);
  const mark = document.createElement("span");
  mark.textContent = "@";
  copy.appendChild(mark);
  document.body.appendChild(copy);
  const place = {
    left: mark.offsetLeft,
    top: mark.offsetTop + mark.offsetHeight - area.scrollTop,
  };
  copy.remove();
  return place;
}
