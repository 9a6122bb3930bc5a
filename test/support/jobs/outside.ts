/** For jobs that a test runs itself, without slots. */
export const outside = <Answer>(answer: Promise<Answer>): Promise<Answer> => answer
