/** The command that sends a request to this server, with the API key in `$CROSSWALK_KEY`. */
export function curl(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}-H "Authorization: Bearer $CROSSWALK_KEY"`,
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
    `"${location.origin}/api/v1${path}"`,
  ].join(' \\\n  ')
}
