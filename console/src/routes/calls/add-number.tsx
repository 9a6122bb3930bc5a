import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { NumberDialog } from '../../parts/number-dialog.tsx'
import { useScope } from '../../shell/scope.tsx'

const title = 'Add your number first'
const intro = (
  <p className="two">
    Calls come from a number that you have at your provider. People see it. With the simulator, any number
    works.
  </p>
)

/** Adds the number from which the organization calls. The first call needs one. */
export function AddNumber({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { api, can } = useScope()
  if (!can('voice:manage'))
    return (
      <Dialog
        title={title}
        onClose={onClose}
        foot={
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        }
      >
        {intro}
        <Note>Your role may not add numbers. Ask an owner or admin.</Note>
      </Dialog>
    )
  return (
    <NumberDialog
      title={title}
      placeholder="+1 415 555 0100"
      about={{ name: 'label', label: 'Label (optional)', placeholder: 'Front desk' }}
      intro={intro}
      work={async (number, label) => api.voice.numbers.create({ number, label: label || null })}
      onDone={onAdded}
      onClose={onClose}
    />
  )
}
