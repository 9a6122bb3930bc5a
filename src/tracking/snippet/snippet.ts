import { escapeHtml } from '../../platform/http/escape-html.ts'
import type { WriteKey } from '../write-keys/schema.ts'
import type { Snippet } from './schema.ts'

// Calls before the script has loaded wait in a queue. If the script is blocked, they never fail.
const queue =
  '(function(w,n){w[n]=w[n]||function(){(w[n].q=w[n].q||[]).push(arguments)}})(window,"crosswalk")'

/**
 * The HTML with which a page sends events.
 * @param address of this server, as pages reach it
 */
export function snippetOf({ key, write_key_id }: WriteKey, address: string): Snippet {
  const script_url = `${address}/sdk/v1.js`
  const calls = `<script>${queue};crosswalk("init","${key}")</script>`
  return {
    write_key_id,
    script_url,
    snippet: `${calls}\n<script async src="${escapeHtml(script_url)}"></script>`,
  }
}
