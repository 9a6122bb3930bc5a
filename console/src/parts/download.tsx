import { Button } from './button.tsx'

/** A button that saves a text as a file, without a server. */
export function DownloadButton({
  name,
  text,
  label = 'Download',
}: {
  name: string
  text: string
  label?: string
}) {
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }
  return (
    <Button kind="quiet" icon="import" onClick={save}>
      {label}
    </Button>
  )
}
