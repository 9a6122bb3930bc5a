import { useState } from 'react'
import { Button } from './button.tsx'
import { showToast } from './toast.tsx'

/** A button that copies a text, and then says so. */
export function CopyButton({
  text,
  kind = 'quiet',
  label = 'Copy',
  of,
}: {
  text: string
  kind?: 'main' | 'quiet'
  label?: string
  /** The thing that the text belongs to, such as a write key. Screen readers say it after the label. Set it if a list repeats the button. */
  of?: string | undefined
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
  const shown = isCopied ? 'Copied' : label
  return (
    <Button
      kind={kind}
      icon={isCopied ? 'check' : 'copy'}
      aria-label={of && `${shown}: ${of}`}
      onClick={copy}
    >
      {shown}
    </Button>
  )
}
