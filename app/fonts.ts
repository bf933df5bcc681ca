import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";

/** Class names for `<html>`; they define the font variables that globals.css reads. The fonts are self-hosted. */
export const fontClassNames = `${GeistSans.variable} ${GeistMono.variable}`;
