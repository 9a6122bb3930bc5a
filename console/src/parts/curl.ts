/** @param file the name of a CSV file to send */
export type CurlOptions = { method?: string; body?: object; file?: string }

/**
 * The command that sends a request to this server, with the API key in `$CROSSWALK_KEY`.
 * @param targetOrgId the client on which an agency key acts. Other keys ignore it.
 */
export function curl(
  path: string,
  { method = 'GET', body, file, targetOrgId }: CurlOptions & { targetOrgId?: string } = {},
): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}-H "Authorization: Bearer $CROSSWALK_KEY"`,
    ...(targetOrgId ? [`-H "X-Target-Org-Id: ${targetOrgId}"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
    ...(file ? ['-H "Content-Type: text/csv"', `--data-binary @${file}`] : []),
    `"${location.origin}/api/v1${path}"`,
  ].join(' \\\n  ')
}
