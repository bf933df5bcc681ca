/** A prompt that shows what the agent without a model can do. */
export const STEPS_EXAMPLE = `Look around, then leave a note.

\`\`\`sh
git log --oneline -5
ls
\`\`\`

\`\`\`md path=NOTES.md
# Notes
Written by a run of Errand.
\`\`\`

\`\`\`sh
cat NOTES.md
\`\`\`
`;
