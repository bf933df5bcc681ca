// Compiled only by documented.test.ts: GitHub's types are 5 MB, which no other file needs.
import type { operations } from "@octokit/openapi-types";
import type { z } from "zod";
import type { authorizationAnswers } from "#lib/host/github/authorization.ts";
import type { checkAnswers } from "#lib/host/github/checks.ts";
import type { changedPullBody, newPullBody, pullAnswers } from "#lib/host/github/pulls.ts";
import type { reviewAnswers } from "#lib/host/github/review.ts";
import type { conversationAnswers } from "#lib/host/issue-api.ts";
import type { presentedRun, presentedStatus } from "#lib/host/stand-in/github-checks-rest.fixture.ts";
import type { presentedPull } from "#lib/host/stand-in/github-rest.fixture.ts";

/** 64-bit numbers are numbers in JSON. */
type Json<T> = T extends bigint ? number : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;

type Success<Responses> = Responses extends { 200: infer Answer } | { 201: infer Answer } ? Answer : never;
type Content<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
/** The documented response of an operation, and the documented body of its request. */
type Answer<Id extends keyof operations> = Json<Content<Success<operations[Id]["responses"]>>>;
type Body<Id extends keyof operations> = operations[Id] extends { requestBody?: infer Request }
  ? Json<Content<NonNullable<Request>>>
  : never;

/** Compiles only if `Given` can be used as `Wanted`. */
type Fits<Wanted, Given extends Wanted> = Given;
type Read<Schema extends z.ZodType> = z.input<Schema>;

/** The fields that the service reads from a response are documented by GitHub. */
export type Answers = [
  Fits<Read<typeof pullAnswers.Repository>, Answer<"repos/get">>,
  Fits<Read<typeof pullAnswers.Pull>, Answer<"pulls/create">>,
  Fits<Read<typeof pullAnswers.Pull>, Answer<"pulls/get">>,
  Fits<Read<typeof pullAnswers.Pull>, Answer<"pulls/update">>,
  Fits<Read<typeof pullAnswers.Pull>, Answer<"pulls/list">[number]>,
  Fits<Read<typeof pullAnswers.Numbered>, Answer<"pulls/request-reviewers">>,
  Fits<Read<typeof conversationAnswers.PullRequest>, Answer<"pulls/get">>,
  Fits<Read<typeof checkAnswers.CheckRuns>, Answer<"checks/list-for-ref">>,
  Fits<Read<typeof checkAnswers.Combined>, Answer<"repos/get-combined-status-for-ref">>,
  Fits<Read<typeof checkAnswers.Annotations>, Answer<"checks/list-annotations">>,
  Fits<Read<typeof reviewAnswers.Review>, Answer<"pulls/get-review">>,
  Fits<Read<typeof reviewAnswers.Remarks>, Answer<"pulls/list-comments-for-review">>,
  Fits<Read<typeof conversationAnswers.Comment>, Answer<"issues/create-comment">>,
  Fits<Read<typeof conversationAnswers.Comment>, Answer<"pulls/create-reply-for-review-comment">>,
  Fits<Read<typeof conversationAnswers.Person>, Answer<"users/get-by-username">>,
  Fits<Read<typeof conversationAnswers.Permission>, Answer<"repos/get-collaborator-permission-level">>,
  Fits<Read<typeof authorizationAnswers.User>, Answer<"users/get-authenticated">>,
  Fits<Read<typeof authorizationAnswers.Bot>, Answer<"users/get-by-username">>,
  Fits<{ token: string; expires_at: string }, Answer<"apps/create-installation-access-token">>,
];

/** Names that are used but not documented, at any depth. */
type Unknown<Given, Documented> = Given extends readonly (infer Item)[]
  ? Documented extends readonly (infer Known)[]
    ? Unknown<Item, Known>
    : "a list"
  : Given extends object
    ? {
        [Key in keyof Given]-?: Key extends keyof NonNullable<Documented>
          ? Unknown<NonNullable<Given[Key]>, NonNullable<NonNullable<Documented>[Key]>>
          : Key;
      }[keyof Given]
    : never;
/** A part of a documented type: some of its fields, with their types. */
type Part<T> = T extends readonly (infer Item)[]
  ? Part<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Part<T[Key]> }
    : T;
/** True if all given names are documented; otherwise those that are not. */
type Known<Documented, Given> = [Unknown<Given, Documented>] extends [never] ? true : Unknown<Given, Documented>;

/** The requests that the service sends are documented by GitHub. */
export type Requests = [
  Fits<Body<"pulls/create">, ReturnType<typeof newPullBody>>,
  Fits<true, Known<Body<"pulls/create">, ReturnType<typeof newPullBody>>>,
  Fits<Body<"pulls/update">, ReturnType<typeof changedPullBody>>,
  Fits<true, Known<Body<"pulls/update">, ReturnType<typeof changedPullBody>>>,
  Fits<Body<"pulls/request-reviewers">, { reviewers: string[] }>,
  Fits<Body<"issues/create-comment">, { body: string }>,
  Fits<Body<"pulls/create-reply-for-review-comment">, { body: string }>,
];

type StandInPull = Awaited<ReturnType<typeof presentedPull>>;
type StandInRun = ReturnType<typeof presentedRun>;
type StandInStatus = ReturnType<typeof presentedStatus>;
type DocumentedRun = Answer<"checks/list-for-ref">["check_runs"][number];
type DocumentedStatus = Answer<"repos/get-combined-status-for-ref">["statuses"][number];

/** The responses of the tests' stand-in are part of what GitHub documents. */
export type StandIn = [
  Fits<Part<Answer<"pulls/get">>, StandInPull>,
  Fits<true, Known<Answer<"pulls/get">, StandInPull>>,
  Fits<Part<DocumentedRun>, StandInRun>,
  Fits<true, Known<DocumentedRun, StandInRun>>,
  Fits<Part<DocumentedStatus>, StandInStatus>,
  Fits<true, Known<DocumentedStatus, StandInStatus>>,
];

/** The proofs above can fail. */
export type Failing = [
  // @ts-expect-error: the documented type is no `any`
  Fits<{ no_such_field: string }, Answer<"repos/get">>,
  // @ts-expect-error: neither is the schema's
  Fits<Read<typeof pullAnswers.Pull>, Omit<Answer<"pulls/get">, "number">>,
  // @ts-expect-error: a field that is not documented
  Fits<true, Known<Body<"pulls/create">, { head: string; base: string; wip: boolean }>>,
  // @ts-expect-error: one further down
  Fits<true, Known<Answer<"pulls/get">, { head: { sha: string; branch: string } }>>,
  // @ts-expect-error: a field of another type
  Fits<Part<Answer<"pulls/get">>, { number: string }>,
];
