const copied = [
  ...['font', 'letter-spacing', 'line-height', 'text-indent', 'text-transform', 'word-spacing'],
  ...['padding', 'border', 'tab-size'],
];

/** Where the foot of a letter of a textarea stands, in pixels in what holds the textarea. */
export function caretPlace(textarea: HTMLTextAreaElement, position: number) {
  const style = getComputedStyle(textarea);
  const mirror = document.createElement('div');
  for (const name of copied) mirror.style.setProperty(name, style.getPropertyValue(name));
  Object.assign(mirror.style, {
    position: 'absolute',
    visibility: 'hidden',
    boxSizing: 'border-box',
    width: `${textarea.clientWidth + 2}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  mirror.append(textarea.value.slice(0, position), mark);
  document.body.append(mirror);
  const { offsetLeft: left, offsetTop, offsetHeight } = mark;
  mirror.remove();
  const foot = offsetTop + offsetHeight - textarea.scrollTop;
  return {
    left: left + textarea.offsetLeft,
    top: Math.min(foot, textarea.offsetHeight) + textarea.offsetTop,
  };
}
