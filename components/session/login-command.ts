/** Command that prints a sign-in link, on the machine that runs the service. */
export const LOGIN_COMMAND = "npm run --silent errand -- login";
