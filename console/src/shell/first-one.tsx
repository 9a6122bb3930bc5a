import { Button } from '../parts/button.tsx'
import { CurlCode } from './curl-code.tsx'

/** On an empty page: the button that makes the first thing, and a request that does the same. */
export const FirstOne = ({
  act,
  onAct,
  path,
  body,
}: {
  act: string
  onAct: () => void
  path: string
  body: object
}) => (
  <>
    <Button onClick={onAct}>{act}</Button>
    <CurlCode label="The same with curl" path={path} method="POST" body={body} />
  </>
)
