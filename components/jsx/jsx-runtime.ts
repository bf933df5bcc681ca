// JSX of the whole project is compiled to these functions (jsxImportSource in tsconfig.json), so that no page can forget to mark a
// title or name that reads differently from what it is.
import { type JSX, jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime";
import { markedProps } from "./marked-props.ts";

export { Fragment } from "react";
export type { JSX };

/** React's own, with {@link markedProps}. */
export const jsx: typeof reactJsx = (type, props, key) => reactJsx(type, markedProps(Object(props)), key);

/** {@link jsx} for an element with several children. */
export const jsxs: typeof reactJsxs = (type, props, key) => reactJsxs(type, markedProps(Object(props)), key);
