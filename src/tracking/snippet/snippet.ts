import type { Config } from '../../platform/config.ts'
import type { WriteKey } from '../write-keys/schema.ts'
import type { Snippet } from './schema.ts'

// Calls before the script has loaded wait in a queue. If the script is blocked, they never fail.
const queue =
  '(function(w,n){w[n]=w[n]||function(){(w[n].q=w[n].q||[]).push(arguments)}})(window,"crosswalk")'

/** The HTML with which a page sends events. Without `PUBLIC_URL`, it names this machine. */
export function snippetOf({ key, write_key_id }: WriteKey, { publicUrl, port }: Config): Snippet {
  const script_url = `${publicUrl ?? `http://127.0.0.1:${port}`}/sdk/v1.js`
  const calls = `<script>${queue};crosswalk("init","${key}")</script>`
  return {
    write_key_id,
    script_url,
    snippet: `${calls}\n<script async src="${escaped(script_url)}"></script>`,
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
