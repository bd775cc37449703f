// Returns in words: texts outside their frame, texts over each other, sideways scrolling, faint text.
() => {
  const FRAMES = ".button, .menu, .typed, .container, .window, .screen, td, .message, .home, body";
  const LEAST_CONTRAST = 4.5, TOLERANCE = 1.5;
  const faults = [], boxes = [];

  const rgba = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], [r0, g0, b0]) => [r, g, b].map((part, n) => part * a + [r0, g0, b0][n] * (1 - a));
  const background = (element) => {
    if (!element) return [255, 255, 255];
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour.slice(0, 3) : over(colour, background(element.parentElement));
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const clipped = (box, element) => {
    for (let each = element; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowX === "visible") continue;
      const edge = each.getBoundingClientRect();
      box = { left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right),
              top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom) };
    }
    return box;
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.data.trim(), element = node.parentElement;
    if (!words || !element.checkVisibility()) continue;
    const shown = words.length > 40 ? `${words.slice(0, 40)}…` : words;
    const behind = background(element), colour = over(rgba(getComputedStyle(element).color), behind);
    const ratio = contrast(colour, behind);
    if (ratio < LEAST_CONTRAST) faults.push(`faint, ${ratio.toFixed(1)}: ${shown}`);
    const frame = element.closest(FRAMES).getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1) continue;
      const box = clipped(rect, element);
      if (box.right <= box.left || box.bottom <= box.top) continue;
      if (box.left < frame.left - TOLERANCE || box.right > frame.right + TOLERANCE ||
          box.top < frame.top - TOLERANCE || box.bottom > frame.bottom + TOLERANCE)
        faults.push(`outside its frame: ${shown}`);
      boxes.push({ ...box, left: box.left, right: box.right, top: box.top, bottom: box.bottom, node, shown });
    }
  }
  boxes.sort((one, other) => one.top - other.top);
  boxes.forEach((one, place) => {
    for (let next = place + 1; next < boxes.length && boxes[next].top < one.bottom - TOLERANCE; next++) {
      const other = boxes[next];
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.node !== other.node && wide > TOLERANCE && high > TOLERANCE)
        faults.push(`over each other: ${one.shown} | ${other.shown}`);
    }
  });
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) faults.push(`scrolls sideways: ${width} pixels in ${innerWidth}`);
  return [...new Set(faults)];
}
