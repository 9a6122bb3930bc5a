/** How the preview shows a signature. */
export type Look = 'desktop' | 'phone' | 'dark' | 'text'

const style = `
html { color-scheme: light; background: #fff }
html.dark { color-scheme: dark; background: #1f1f1f; color: #e8e8e8 }
body { margin: 0; padding: 16px 24px 24px; font: 14px/20px Arial, sans-serif; overflow-wrap: anywhere }
.head { display: grid; grid-template-columns: auto 1fr; gap: 8px 16px; margin: 0 0 16px; padding-bottom: 12px;
  border-bottom: 1px solid #8884; font-size: 12px; line-height: 16px }
.head dt { color: light-dark(#676b72, #a7abb1) }
.head dd { margin: 0 }
.words { height: 8px; margin: 8px 0; border-radius: 2px; background: light-dark(#eaeae8, #3a3a3a) }
.end { margin: 16px 0; color: light-dark(#6b6b6b, #a0a0a0) }
@media (max-width: 480px) { body { padding-inline: 16px } }
`

/** The document of the preview: a letter whose text is only hinted at, with the signature below. */
export const letterOf = (html: string, from: string, look: Look): string => `<!doctype html>
<html lang="en"${look === 'dark' ? ' class="dark"' : ''}>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Preview</title>
<style>${style}</style>
<dl class="head"><dt>From</dt><dd>${escaped(from)}</dd></dl>
<div class="words" style="width:38%"></div><div class="words" style="width:92%"></div>
<div class="words" style="width:64%"></div>
<p class="end">--</p>
${html}
</html>`

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
