import { useLayoutEffect, useRef } from "react";
import { useTheme } from "#components/shell/theme.tsx";

type CanvasProps = {
  /** In px. */
  width: number;
  height: number;
  /** Must keep its identity until there is something else to draw. */
  draw: (context: CanvasRenderingContext2D) => void;
};

/** A drawing in the colors of the current theme. */
export function Canvas(props: CanvasProps) {
  const { resolved } = useTheme();
  return <Drawing key={resolved} {...props} />;
}

function Drawing({ width, height, draw }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d") ?? null;
    if (element === null || context === null || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (element.width !== size.width || element.height !== size.height) Object.assign(element, size);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(context);
  }, [width, height, draw]);
  return <canvas ref={canvas} aria-hidden className="block" style={{ width, height }} />;
}
