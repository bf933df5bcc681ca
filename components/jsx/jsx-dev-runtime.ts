// As jsx-runtime.ts, for `npm run dev`.
import { jsxDEV as reactJsxDev } from "react/jsx-dev-runtime";
import { markedProps } from "./marked-props.ts";

export { Fragment } from "react";
export type { JSX } from "react/jsx-dev-runtime";

/** React's own, with {@link markedProps}. */
export const jsxDEV: typeof reactJsxDev = (type, props, ...rest) =>
  reactJsxDev(type, markedProps(Object(props)), ...rest);
