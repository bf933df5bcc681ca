import { config } from "zod";

// Before any schema is made: zod would try whether it may compile code, which the pages' policy refuses and reports.
config({ jitless: true });
