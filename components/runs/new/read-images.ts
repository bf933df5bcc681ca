/** Image types accepted for a run (the contract's CreateRun.images). */
export const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
export const imageBytesMax = 10 * 1024 * 1024;
export const imagesMax = 10;
/** A request's body may have 20 MB, and base64 takes a third more than the bytes. */
const textCharactersMax = 19 * 1024 * 1024;

type Read = {
  /** Data URLs: the previous images, and those that could be added. */
  images: string[];
  /** Reasons that images were not added, one sentence each. */
  refusals: string[];
};

/** Adds files to a request's images, if they fit, without duplicates. */
export async function addImages(images: readonly string[], files: readonly File[]): Promise<Read> {
  const added = [...images];
  const refusals: string[] = [];
  for (const file of files) {
    const refusal = refuseImage(file, added);
    if (refusal !== null) {
      refusals.push(refusal);
      continue;
    }
    const image = await readDataUrl(file);
    if (image === null) refusals.push(`${nameOf(file)} could not be read.`);
    else if (!added.includes(image)) added.push(image);
  }
  return { images: added, refusals };
}

function refuseImage(file: File, images: readonly string[]): string | null {
  const name = nameOf(file);
  if (!imageTypes.includes(file.type)) return `${name} is not a PNG, JPEG, GIF or WebP image.`;
  if (file.size === 0) return `${name} is empty.`;
  if (file.size > imageBytesMax) return `${name} is larger than 10 MB.`;
  if (images.length >= imagesMax) return `${name} was not added: a prompt can have at most ${imagesMax} images.`;
  const characters = images.reduce((sum, image) => sum + image.length, 0) + Math.ceil(file.size / 3) * 4;
  if (characters > textCharactersMax) return `${name} was not added: images can be about 14 MB in total.`;
  return null;
}

function nameOf(file: File): string {
  return file.name || "The image";
}

/** Null if it cannot be read: a file that is gone, has changed, or is not on this computer yet. */
function readDataUrl(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
