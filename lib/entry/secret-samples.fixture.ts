import { generateKeyPairSync } from "node:crypto";

// Made up, and assembled here so that no scanner of this repository takes one for real.
const random = "9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSgA";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const body = pem.split("\n").slice(1, -2);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const payload = encoded({ sub: random });

const serviceAccount = JSON.stringify({
  type: "service_account",
  project_id: "my-project-123456",
  private_key_id: "0123abc456def789a0b1c2d3e4f5a6b7c8d9e0f1",
  private_key: pem,
  client_email: "deployer@my-project-123456.iam.gserviceaccount.com",
  client_id: "123456789012345678901",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  token_uri: "https://oauth2.googleapis.com/token",
  auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
  universe_domain: "googleapis.com",
});

/** Keys as people store them: the value, and its parts that nothing that is kept may show, not even twelve characters of them. */
export const secretSamples: Record<string, { value: string; parts: string[] }> = {
  "a Google service account": { value: serviceAccount, parts: body },
  "a Google service account as base64": { value: Buffer.from(serviceAccount).toString("base64"), parts: body },
  "an AWS pair": {
    value: `AKIA${"IOSFODNN7EXAMPLE"}:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`,
    parts: ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
  },
  "a DSN": { value: `postgres://app:${random}@db.internal.example.com:5432/errand?sslmode=require`, parts: [random] },
  "a JSON web token": {
    value: `${encoded({ alg: "RS256", typ: "JWT" })}.${payload}.${body[3]}`,
    parts: [payload.slice(10), body[3] ?? ""],
  },
  "an SSH key": { value: pem, parts: body },
  "an SSH key as base64": { value: Buffer.from(pem).toString("base64"), parts: body },
  "a Slack address": {
    value: `https://hooks.slack.com/services/T01AB2CD3/B02EF4GH5/${random.slice(0, 24)}`,
    parts: [random.slice(0, 24)],
  },
  "a UUID": { value: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", parts: ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"] },
  "letters and digits": { value: random.repeat(6) + random.slice(8), parts: [random] },
  "hexadecimal digits": { value: "4a1f0c9e7b3d5286e1a40f9c", parts: ["4a1f0c9e7b3d5286e1a40f9c"] },
};
