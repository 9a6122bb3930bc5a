import { useState } from 'react'
import { Button } from './button.tsx'
import { showToast } from './toast.tsx'

/** A button that copies a text, and then says so. */
export function CopyButton({
  text,
  kind = 'quiet',
  label = 'Copy',
}: {
  text: string
  kind?: 'main' | 'quiet'
  label?: string
}) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(setCopied, 2_000, false)
    } catch {
      showToast('The browser did not allow copying. Select the text and copy it yourself.', 'bad')
    }
  }
  return (
    <Button kind={kind} icon={isCopied ? 'check' : 'copy'} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
