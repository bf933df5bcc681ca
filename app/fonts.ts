import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";

/** Goes on `<html>`: defines the font variables that globals.css reads. The files are served by us, none is fetched. */
export const fontClassNames = `${GeistSans.variable} ${GeistMono.variable}`;
