/** A content block of a prompt. */
export type PromptBlock = { type: "text"; text: string } | { type: "image"; mimeType: string; data: string };
