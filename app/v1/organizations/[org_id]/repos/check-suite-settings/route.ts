import { getCheckSuiteSettings, putCheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as checks from "#lib/service/check-suites.ts";

export const GET = endpoint(getCheckSuiteSettings, checks.getCheckSuiteSettings);
export const PUT = endpoint(putCheckSuiteSettings, checks.putCheckSuiteSettings);
