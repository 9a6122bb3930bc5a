import { hash } from 'node:crypto'
import { escapeText } from '../compile/tree.ts'
import type { Offer } from './offers.ts'

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #1c2330; background: #f4f5f7; margin: 0; }
  main { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem; }
  main > h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
  p.for { color: #5b6472; margin: 0 0 1.5rem; overflow-wrap: anywhere; }
  #signature { background: #fff; border: 1px solid #d8dce3; border-radius: .5rem; padding: 1.25rem; overflow: auto; }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 1.5rem; align-items: center; }
  .actions > a, button { font: inherit; padding: .55rem 1rem; border-radius: .4rem; border: 1px solid #1f5eff; cursor: pointer; }
  button { background: #1f5eff; color: #fff; }
  .actions > a { color: #1f5eff; background: #fff; text-decoration: none; }
  .quiet { background: #fff; color: #1f5eff; }
  a:focus-visible, button:focus-visible { outline: 3px solid #9db8ff; outline-offset: 2px; }
  main > ol { padding-left: 1.25rem; }
  #said { color: #156c3a; }
`

const script = `
  const signature = document.getElementById('signature')
  const said = document.getElementById('said')
  const button = document.getElementById('copy')
  const select = () => {
    const range = document.createRange()
    range.selectNodeContents(signature)
    getSelection().removeAllRanges()
    getSelection().addRange(range)
  }
  button.hidden = false
  button.onclick = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({
        'text/html': new Blob([signature.innerHTML], { type: 'text/html' }),
        'text/plain': new Blob([signature.innerText], { type: 'text/plain' }),
      })])
      said.textContent = 'Copied.'
    } catch {
      select()
      said.textContent = document.execCommand('copy') ? 'Copied.' : 'The signature is selected. Copy it with Ctrl+C or ⌘C.'
    }
  }
`

/** Lets the browser run only the page's own script and style, and load only the pictures of the signature. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src https:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const layout = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

/**
 * The page on which a mailbox owner installs a signature.
 * @param path the path of the page, without a slash at the end
 */
export function offerPage({ email, html }: Offer, path: string): string {
  return layout(
    'Your e-mail signature',
    `<h1>Your e-mail signature</h1>
<p class="for">for ${escapeText(email)}</p>
<div id="signature">${html}</div>
<div class="actions">
<button id="copy" type="button" hidden>Copy the signature</button>
<a href="${path}/signature.eml">Download as a draft (.eml)</a>
<span id="said" role="status"></span>
</div>
<ol>
<li>Copy the signature. If there is no button, select the signature and copy it like text.</li>
<li>Open the settings of your mail program. Outlook: Settings, Mail, Compose and reply. Gmail: Settings, See all settings,
Signature. Apple Mail: Settings, Signatures.</li>
<li>Paste it as a new signature, select it for new messages, and save.</li>
<li>Press the button below. It closes this page.</li>
</ol>
<form method="post" action="${path}/confirm"><button class="quiet">I have installed it</button></form>
<script>${script}</script>`,
  )
}

/** A page that only shows a message. */
export const messagePage = (title: string, words: string): string =>
  layout(title, `<h1>${title}</h1>\n<p>${words}</p>`)
