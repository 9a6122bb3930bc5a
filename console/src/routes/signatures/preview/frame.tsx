import { useEffect, useId, useRef, useState } from 'react'
import styles from './preview.module.css'

/**
 * Shows HTML in a frame that can run no script. A form brings the HTML to the server, which answers it with a policy of
 * its own. Each text gets a new frame, so that it adds nothing to the history of the browser. The frame before stays
 * until the new one has loaded.
 */
export function Frame({ html, title }: { html: string; title: string }) {
  const [shown, setShown] = useState<string | null>(null)
  return (
    <div className={styles.frames}>
      {[...new Set([shown ?? html, html])].map((one) => (
        <OneFrame key={one} html={one} title={title} isShown={one === (shown ?? html)} onLoaded={setShown} />
      ))}
    </div>
  )
}

function OneFrame({
  html,
  title,
  isShown,
  onLoaded,
}: {
  html: string
  title: string
  isShown: boolean
  onLoaded: (html: string) => void
}) {
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  const isSent = useRef(false)
  useEffect(() => {
    form.current?.submit()
    isSent.current = true
  }, [])
  return (
    <>
      <form ref={form} hidden method="post" action="/console/preview" target={name}>
        <input type="hidden" name="html" value={html} />
      </form>
      <iframe
        name={name}
        title={title}
        sandbox=""
        data-shown={isShown || undefined}
        aria-hidden={!isShown}
        tabIndex={isShown ? 0 : -1}
        onLoad={() => isSent.current && onLoaded(html)}
      />
    </>
  )
}
