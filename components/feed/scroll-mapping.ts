/**
 * Maximum height of the scrolled element, in px. Browsers lose whole pixels or clamp well below 33,554,428; at 8 million a pixel
 * is exact.
 */
export const physicalHeightMax = 8_000_000;

/** Scroll steps of at least this many viewports are jumps (a dragged thumb) and are mapped in proportion; smaller ones move 1:1. */
export const jumpViewports = 2.5;

/** Within this many px of both ends a physical pixel is a virtual pixel, so that the ends are reached without corrections. */
const edgeMax = 40_000;

/** Input of the mapping: total height and viewport height, in px. */
export type Extent = { virtualHeight: number; viewport: number };

/** The height in px of the element that the browser scrolls. */
export function physicalHeight({ virtualHeight }: Extent): number {
  return Math.min(virtualHeight, physicalHeightMax);
}

/** The greatest virtual position, in px: the end of the content is at the bottom of the viewport. */
export function virtualMax({ virtualHeight, viewport }: Extent): number {
  return Math.max(0, virtualHeight - viewport);
}

/** The greatest scrollTop, in px. */
export function physicalMax(extent: Extent): number {
  return Math.max(0, physicalHeight(extent) - extent.viewport);
}

/** The scrollTop for a virtual position. Monotonic, the inverse of virtualOf. */
export function physicalOf(position: number, extent: Extent): number {
  return mapped(position, virtualMax(extent), physicalMax(extent));
}

/** The virtual position for a scrollTop that the reader has jumped to. Monotonic, the inverse of physicalOf. */
export function virtualOf(scrollTop: number, extent: Extent): number {
  return mapped(scrollTop, physicalMax(extent), virtualMax(extent));
}

/** Piecewise linear from [0, fromMax] onto [0, toMax]: slope 1 at both edges, one other slope between them. */
function mapped(value: number, fromMax: number, toMax: number): number {
  const clamped = Math.min(Math.max(0, value), fromMax);
  const edge = Math.min(edgeMax, Math.min(fromMax, toMax) / 4);
  if (fromMax === toMax || clamped <= edge) return clamped;
  if (clamped >= fromMax - edge) return toMax - (fromMax - clamped);
  return edge + ((clamped - edge) * (toMax - 2 * edge)) / (fromMax - 2 * edge);
}
