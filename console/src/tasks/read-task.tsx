import type { Task } from '../../../sdk/src/generated/types.ts'
import { Button } from '../parts/button.tsx'
import { dateOfDay } from '../parts/days.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Note } from '../parts/note.tsx'

/** A task, for a person who may not change it. */
export const ReadTask = ({ task, onClose }: { task: Task; onClose: () => void }) => (
  <Dialog
    title={task.record_name ? `Task about ${task.record_name}` : 'Task'}
    onClose={onClose}
    foot={
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <p className="strong">{task.title}</p>
    <Facts>
      <Fact name="Due day">{task.due_on ? dateOfDay(task.due_on) : 'None'}</Fact>
      <Fact name="Assignee">{task.assignee_id === null ? 'Nobody' : (task.assignee_name ?? 'A member')}</Fact>
    </Facts>
    {task.text && <Markdown text={task.text} />}
    <Note>Your role may read tasks, but not change them.</Note>
  </Dialog>
)
