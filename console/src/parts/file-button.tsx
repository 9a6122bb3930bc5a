import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

/** A button with which a person chooses a file. Choosing the same file again counts, too. */
export function FileButton({
  accept,
  kind,
  isBusy = false,
  onFile,
  children,
}: {
  /** Endings and media types, as of the element `input`. */
  accept: string
  kind?: 'main' | 'quiet'
  isBusy?: boolean
  onFile: (file: File) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...(kind && { kind })} icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
