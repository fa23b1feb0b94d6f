# Made from docs/openapi.json by `npm run docs`.
"""What the API takes and returns, under the names of the API."""

from __future__ import annotations

import sys
from typing import Any, Literal, Mapping, Optional, Sequence, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict


class SendOnce(TypedDict):
    """Each person gets a message of the key once, whichever way it is sent"""

    key: str
    """Names the message"""
    within: NotRequired[str]
    """A length of time, such as `7d`, of up to 999 days. Default: forever"""


class Throttle(TypedDict):
    """Each person gets at most one message of the key within any such time"""

    key: NotRequired[str]
    """Messages with the same key share a throttle. Default: all without a key share one"""
    every: str
    """A length of time, such as `24h`, of up to 999 days"""


class TrackingWish(TypedDict):
    """Settings that are absent are inherited"""

    opens: NotRequired[bool]
    """Whether opens are followed, by a picture"""
    clicks: NotRequired[bool]
    """Whether clicks are followed, by links that lead through the platform"""


class MessageTo(TypedDict):
    email: str
    """The address of a recipient"""
    name: NotRequired[str]
    """The name of a recipient"""


class MessageToItem(TypedDict):
    email: str
    """The address of a recipient"""
    name: NotRequired[str]
    """The name of a recipient"""


class MessageCc(TypedDict):
    email: str
    """The address of a recipient"""
    name: NotRequired[str]
    """The name of a recipient"""


class MessageCcItem(TypedDict):
    email: str
    """The address of a recipient"""
    name: NotRequired[str]
    """The name of a recipient"""


class MessageBcc(TypedDict):
    email: str
    """The address of a recipient"""
    name: NotRequired[str]
    """The name of a recipient"""


class MessageBccItem(TypedDict):
    email: str
    """The address of a recipient"""
    name: NotRequired[str]
    """The name of a recipient"""


class MessageAttachmentsItem(TypedDict):
    filename: str
    """The name of the file"""
    content: str
    """The file, in base64"""
    contentType: NotRequired[str]
    """The media type of the file; default `"application/octet-stream"`"""
    contentId: NotRequired[str]
    """An extension of this implementation: shows the file in the HTML, as `<img src="cid:…">`; unique within a message"""


class MessageTagsItem(TypedDict):
    name: str
    """The name of the tag"""
    value: str
    """The value of the record"""


Message = TypedDict(
    "Message",
    {
        # An address, {email, name}, or an array of them; each recipient gets a separate message, unless there is `cc` or `bcc`
        "to": "Union[str, MessageTo, Sequence[Union[str, MessageToItem]]]",
        # An extension of this implementation: recipients of a visible copy
        "cc": "NotRequired[Union[str, MessageCc, Sequence[Union[str, MessageCcItem]]]]",
        # An extension of this implementation: recipients of a hidden copy
        "bcc": "NotRequired[Union[str, MessageBcc, Sequence[Union[str, MessageBccItem]]]]",
        # Placeholders allowed; required unless a template supplies one
        "subject": "NotRequired[str]",
        # HTML with placeholders
        "html": "NotRequired[str]",
        # Plain text with placeholders; generated from `html` if omitted
        "text": "NotRequired[str]",
        # A stored template instead of html and text
        "templateId": "NotRequired[str]",
        # An extension of this implementation: the topic of a `marketing` message. Recipients who are not in it are skipped as `unsubscribed`. Default: that of the template
        "topicId": "NotRequired[str]",
        # Values for placeholders; they win over contact fields of the same name
        "variables": "NotRequired[Mapping[str, Any]]",
        # An extension of this implementation: the language of the recipients (BCP 47), which chooses the variant of the template. Default: the `locale` of each contact
        "locale": "NotRequired[str]",
        # An address; an extension of this implementation accepts a name before it: `Ada Lovelace <ada@example.com>`. Default: the template's, else hello@ the first verified domain
        "from": "NotRequired[str]",
        # The sender's name
        "fromName": "NotRequired[str]",
        # An address; an extension of this implementation accepts a name before it: `Ada Lovelace <ada@example.com>`
        "replyTo": "NotRequired[str]",
        # Custom headers by name
        "headers": "NotRequired[Mapping[str, str]]",
        # Files; a message with attachments costs two credits
        "attachments": "NotRequired[Sequence[MessageAttachmentsItem]]",
        # 1 second to 365 days ahead
        "sendAt": "NotRequired[str]",
        # Whether an unknown address becomes a contact; default `true`
        "createContact": "NotRequired[bool]",
        # Whether unsubscribed contacts get it: `marketing` skips them and adds an unsubscribe link
        "type": "NotRequired[Literal['transactional', 'marketing']]",
        # An extension of this implementation: up to 10 names with values, to find and count messages by
        "tags": "NotRequired[Sequence[MessageTagsItem]]",
        # An extension of this implementation: each recipient gets a message of the key once
        "sendOnce": "NotRequired[SendOnce]",
        # An extension of this implementation: each recipient gets at most one message of the key within a time
        "throttle": "NotRequired[Throttle]",
        # An extension of this implementation: `ignore` exempts the message from frequency caps, which do not count it either. Requires a key with scope `full`
        "cap": "NotRequired[Literal['ignore']]",
        # An extension of this implementation: the tracking of this message. Default: that of the template, then that of the project for its type, then opens and clicks
        "tracking": "NotRequired[TrackingWish]",
        # An extension of this implementation. `false`: subject, bodies, values, headers and attachments are deleted when the message is delivered, failed or cancelled; default `true`
        "retainContent": "NotRequired[bool]",
    },
)
"""A message to one recipient, or to each of several"""


class AcceptedRecipient(TypedDict):
    """A message was created for this recipient"""

    id: str
    """The id of the e-mail"""
    to: str
    """The recipient"""
    status: Literal["sent", "scheduled", "queued"]
    """The status: `queued` is waiting to be sent"""
    unresolvedPlaceholders: NotRequired[Sequence[str]]
    """With a test key, and in test sends: the placeholders that had neither a value nor a fallback; absent if there are none; an extension of this implementation"""


class SkipDetail(TypedDict):
    """Why a message was skipped, beyond the reason"""

    topicId: NotRequired[str]
    """The topic that the recipient is not in"""
    snoozedUntil: NotRequired[str]
    """When the pause of the recipient ends"""
    window: NotRequired[Literal["closed", "expired"]]
    """The send window was closed, or would have opened after `expireAfter`"""
    sendOnce: NotRequired[str]
    """The key whose message the recipient has, or is about to get"""
    emailId: NotRequired[str]
    """That message"""
    throttle: NotRequired[str]
    """The key of the throttle"""
    cap: NotRequired[str]
    """The name of the frequency cap"""
    until: NotRequired[str]
    """When the throttle or the cap has room again"""
    expired: NotRequired[Literal[True]]
    """The cap has no room before the longest wait ends"""


class SkippedRecipient(TypedDict):
    """No message was created for this recipient"""

    to: str
    """The recipient"""
    skipped: Literal["suppressed", "unsubscribed", "limit_reached", "reputation_paused", "disabled", "free_tier_exceeded", "plan_quota_exceeded"]
    """Why no message was created"""
    detail: NotRequired[SkipDetail]
    """An extension of this implementation: present if the recipient is `unsubscribed` from the topic of the message only, pauses marketing mail, or has reached a limit for this message"""


SendResult = Union["AcceptedRecipient", "SkippedRecipient"]
"""The outcome for one recipient: accepted or skipped"""


class SendResponse(TypedDict):
    """The outcome of a send"""

    results: Sequence[SendResult]
    """The outcome for each recipient, or for each message of a batch, in order"""
    cc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `cc`, if any"""
    bcc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `bcc`, if any"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay"""


class SendBatchRequest(TypedDict):
    """The body of `sendBatch`"""

    messages: Sequence[Message]
    """The messages; each succeeds or fails separately"""


class AcceptedMessage(TypedDict):
    """The message of a batch was accepted"""

    id: str
    """The id"""
    to: str
    """The end, exclusive"""
    status: Literal["sent", "scheduled", "queued"]
    """The status"""
    unresolvedPlaceholders: NotRequired[Sequence[str]]
    """With a test key, and in test sends: the placeholders that had neither a value nor a fallback; absent if there are none; an extension of this implementation"""
    cc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `cc`, if any"""
    bcc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `bcc`, if any"""


class SkippedMessage(TypedDict):
    """The recipient of a message of a batch was skipped"""

    to: str
    """The end, exclusive"""
    skipped: Literal["suppressed", "unsubscribed", "limit_reached", "reputation_paused", "disabled", "free_tier_exceeded", "plan_quota_exceeded"]
    """How many were skipped"""
    detail: NotRequired[SkipDetail]
    """An extension of this implementation: present if the recipient is `unsubscribed` from the topic of the message only, pauses marketing mail, or has reached a limit for this message"""
    cc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `cc`, if any"""
    bcc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `bcc`, if any"""


class ErrorDetail(TypedDict):
    """One fault of a request"""

    path: str
    """Where the fault is, dotted: messages.2.to"""
    message: str
    """A human-readable description of the fault"""
    code: str
    """The kind of fault, for programs"""


class FailedMessageError(TypedDict):
    """Why this message failed; the others are not affected"""

    code: str
    """The error code"""
    message: str
    """The error message"""
    details: NotRequired[Sequence[ErrorDetail]]
    """All errors"""


class FailedMessage(TypedDict):
    """A message of a batch that was not accepted"""

    error: FailedMessageError
    """Why this message failed; the others are not affected"""


class BatchEntry2(TypedDict):
    results: Sequence[SendResult]
    """The outcome for each recipient, or for each message of a batch, in order"""
    cc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `cc`, if any"""
    bcc: NotRequired[Sequence[SendResult]]
    """An extension of this implementation: the outcomes of `bcc`, if any"""


BatchEntry = Union["AcceptedMessage", "SkippedMessage", "BatchEntry2", "FailedMessage"]
"""The outcome of the message at the same place; several results when its `to` is an array"""


class SendBatchResponse(TypedDict):
    """The outcome of each message of a batch"""

    results: Sequence[BatchEntry]
    """The outcome for each recipient, or for each message of a batch, in order"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay"""


class IngestEventRequestConsent(TypedDict):
    """An extension of this implementation, with `optIn`: evidence for the ledger of consent"""

    text: NotRequired[str]
    """The text that the person agreed to, word by word"""
    ip: NotRequired[str]
    """The IP address of the person, stored as the setting `consent.ip` says"""
    userAgent: NotRequired[str]
    """The browser of the person"""


class IngestEventRequest(TypedDict):
    """The body of `ingestEvent`"""

    name: str
    """A name of your own: up to 128 characters of letters, digits and `_ . : / -`"""
    email: NotRequired[str]
    """The e-mail address"""
    contactId: NotRequired[str]
    """An opaque id"""
    data: NotRequired[Optional[Mapping[str, Any]]]
    """Custom fields, or the data of an event: any JSON object"""
    createContact: NotRequired[bool]
    """Default true"""
    occurredAt: NotRequired[str]
    """Becomes createdAt; waits and triggers use the time of receipt"""
    optIn: NotRequired[Literal["double"]]
    """An extension of this implementation: asks the person by mail. Nothing changes until they confirm"""
    topics: NotRequired[Sequence[str]]
    """An extension of this implementation, with `optIn`: topics that the person joins by confirming, all or none"""
    consent: NotRequired[IngestEventRequestConsent]
    """An extension of this implementation, with `optIn`: evidence for the ledger of consent"""


class TriggeredWorkflow(TypedDict):
    """A workflow that the event was dispatched to"""

    workflowId: str
    """The workflow"""
    name: str
    """The name of the workflow"""
    trigger: str
    """The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`"""
    status: Literal["dispatched"]
    """The status"""


class SkippedWorkflow(TypedDict):
    """A workflow that does not run"""

    workflowId: str
    """The workflow"""
    name: str
    """The name of the workflow"""
    trigger: str
    """The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`"""
    reason: Literal["workflow_paused", "workflow_draft"]
    """Why"""


class IngestedEventOptIn(TypedDict):
    """An extension of this implementation: only where `optIn` was given. While it is pending, the event of an address without a contact has no contact"""

    status: Literal["pending", "confirmed", "suppressed"]
    """`pending`: the person was asked; `confirmed`: no confirmation is needed; `suppressed`: the address gets no mail"""
    topics: Sequence[str]
    """The topics that wait for the confirmation"""
    requestedAt: Optional[str]
    """The time of the first request"""
    expiresAt: Optional[str]
    """When the confirmation link expires"""


class IngestedEvent(TypedDict):
    """A recorded event, and the workflows that have it as their trigger"""

    eventId: str
    """The event"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    triggered: Sequence[TriggeredWorkflow]
    """Active workflows with this trigger; whether the contact enters is decided later"""
    skipped: Sequence[SkippedWorkflow]
    """Workflows with this trigger that do not run"""
    optIn: NotRequired[IngestedEventOptIn]
    """An extension of this implementation: only where `optIn` was given. While it is pending, the event of an address without a contact has no contact"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay: true"""


class Event(TypedDict):
    """Something that happened"""

    eventId: str
    """The event"""
    projectId: str
    """The project that it belongs to"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    emailId: Optional[str]
    """The e-mail; null where there is none"""
    name: str
    """The name of the event"""
    data: Optional[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""
    createdAt: str
    """When it happened"""


class EventName(TypedDict):
    """A name of events, with its count"""

    name: str
    """Its name"""
    count: int
    """How many were recorded"""
    lastSeenAt: str
    """When the last one was received"""
    system: bool
    """Whether the name belongs to the system"""


class EventStatsSeriesItem(TypedDict):
    at: str
    """The beginning of the hour, day or month, or the instant"""
    count: int
    """The count"""


class EventStats(TypedDict):
    """Includes empty buckets"""

    total: int
    """The total count"""
    series: Sequence[EventStatsSeriesItem]
    """One entry for each bucket, empty ones included"""


class EventUsageWorkflowsItem(TypedDict):
    workflowId: str
    """The workflow"""
    name: str
    """Its name"""


class EventUsageSegmentsItem(TypedDict):
    segmentId: str
    """The segment"""
    name: str
    """Its name"""


class EventUsage(TypedDict):
    """References to an event name"""

    name: str
    """Its name"""
    count: int
    """The count"""
    workflows: Sequence[EventUsageWorkflowsItem]
    """Workflows that refer to it"""
    segments: Sequence[EventUsageSegmentsItem]
    """Segments that refer to it"""


class RemovedEvents(TypedDict):
    """The result of a deletion of events"""

    name: str
    """Its name"""
    removed: int
    """How many were deleted"""


class Contact(TypedDict):
    """A person you write to"""

    contactId: str
    """The contact"""
    projectId: str
    """The project that it belongs to"""
    email: str
    """The e-mail address"""
    firstName: Optional[str]
    """First name; null where it is not known"""
    lastName: Optional[str]
    """Last name; null where it is not known"""
    subscribed: bool
    """Whether it is subscribed to marketing mail"""
    data: Optional[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""
    locale: Optional[str]
    """Language and region (BCP 47), e.g. `de-AT`"""
    timezone: Optional[str]
    """An extension of this implementation: the time zone of the person (IANA), e.g. `Europe/Vienna`; null if unknown"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""
    snoozedUntil: NotRequired[str]
    """When the pause of marketing mail ends; present while the contact pauses it; an extension of this implementation"""


class UpsertContactRequestConsent(TypedDict):
    """An extension of this implementation, with `optIn`: evidence for the ledger of consent"""

    text: NotRequired[str]
    """The text that the person agreed to, word by word"""
    ip: NotRequired[str]
    """The IP address of the person, stored as the setting `consent.ip` says"""
    userAgent: NotRequired[str]
    """The browser of the person"""


class UpsertContactRequest(TypedDict):
    """The body of `upsertContact`"""

    email: str
    """The e-mail address"""
    firstName: NotRequired[Optional[str]]
    """First name; null where it is not known"""
    lastName: NotRequired[Optional[str]]
    """Last name; null where it is not known"""
    subscribed: NotRequired[bool]
    """Whether it is subscribed to marketing mail"""
    data: NotRequired[Optional[Mapping[str, Any]]]
    """Merged key by key; a null value removes the key, null clears all"""
    locale: NotRequired[Optional[str]]
    """Language and region (BCP 47), e.g. `de-AT`"""
    timezone: NotRequired[Optional[str]]
    """An extension of this implementation: the time zone of the person (IANA)"""
    optIn: NotRequired[Literal["double"]]
    """An extension of this implementation: asks the person by mail. Nothing changes until they confirm"""
    topics: NotRequired[Sequence[str]]
    """An extension of this implementation, with `optIn`: topics that the person joins by confirming, all or none"""
    consent: NotRequired[UpsertContactRequestConsent]
    """An extension of this implementation, with `optIn`: evidence for the ledger of consent"""


class UpsertedContactOptIn(TypedDict):
    """An extension of this implementation: only where `optIn` was given. While it is pending, the contact is shown as it will be, or as it is"""

    status: Literal["pending", "confirmed", "suppressed"]
    """`pending`: the person was asked; `confirmed`: no confirmation is needed; `suppressed`: the address gets no mail"""
    topics: Sequence[str]
    """The topics that wait for the confirmation"""
    requestedAt: Optional[str]
    """The time of the first request"""
    expiresAt: Optional[str]
    """When the confirmation link expires"""


class UpsertedContact(TypedDict):
    """A contact; with `optIn`, also the state of its double opt-in"""

    contactId: str
    """The contact"""
    projectId: str
    """The project that it belongs to"""
    email: str
    """The e-mail address"""
    firstName: Optional[str]
    """First name; null where it is not known"""
    lastName: Optional[str]
    """Last name; null where it is not known"""
    subscribed: bool
    """Whether it is subscribed to marketing mail"""
    data: Optional[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""
    locale: Optional[str]
    """Language and region (BCP 47), e.g. `de-AT`"""
    timezone: Optional[str]
    """An extension of this implementation: the time zone of the person (IANA), e.g. `Europe/Vienna`; null if unknown"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""
    snoozedUntil: NotRequired[str]
    """When the pause of marketing mail ends; present while the contact pauses it; an extension of this implementation"""
    optIn: NotRequired[UpsertedContactOptIn]
    """An extension of this implementation: only where `optIn` was given. While it is pending, the contact is shown as it will be, or as it is"""


class ChangeContactsRequest(TypedDict):
    """The body of `changeContacts`"""

    action: Literal["subscribe", "unsubscribe", "delete", "suppress"]
    """The action for each contact"""
    contactIds: NotRequired[Sequence[str]]
    """The contacts, by id; or give `emails`"""
    emails: NotRequired[Sequence[str]]
    """The contacts, by address; or give `contactIds`"""
    reason: NotRequired[Literal["hard_bounce", "complaint", "unsubscribe", "manual"]]
    """An extension of this implementation, with `suppress`: why the addresses are suppressed. Default: `manual`"""


class BulkResult(TypedDict):
    """The result of a bulk action"""

    matched: int
    """How many contacts were found"""
    changed: int
    """How many of them changed"""
    missing: Sequence[str]
    """The requested items that do not exist"""


class ImportContactsRequest(TypedDict):
    """The body of a form with a file"""

    file: str
    """The CSV file: UTF-8, its first row names the columns"""


class StartedImportColumnsItem(TypedDict):
    header: str
    """The header in the file"""
    field: Optional[str]
    """The name of the field"""


class StartedImportErrorsItem(TypedDict):
    row: int
    """The row, counted from 1 without the header"""
    email: Optional[str]
    """The e-mail address"""
    message: str
    """The error message"""


class StartedImport(TypedDict):
    """An import as it was accepted"""

    importId: str
    """The import"""
    status: Literal["queued", "processing", "completed", "failed"]
    """The status"""
    totalRows: Optional[int]
    """How many rows the file has; null until they are counted"""
    processed: int
    """How many rows are done"""
    created: int
    """How many contacts were created"""
    updated: int
    """How many contacts were updated"""
    skipped: int
    """How many were skipped"""
    failed: int
    """How many failed"""
    columns: Sequence[StartedImportColumnsItem]
    """The field that each column was imported to; null for a skipped column"""
    errors: Sequence[StartedImportErrorsItem]
    """The first 100; the first data row is 1"""
    error: Optional[str]
    """The error message; null if there was none"""
    createdAt: str
    """When it was created"""
    startedAt: Optional[str]
    """When it began; null before that"""
    finishedAt: Optional[str]
    """When it ended; null before that"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay"""


class ImportJobColumnsItem(TypedDict):
    header: str
    """The header in the file"""
    field: Optional[str]
    """The name of the field"""


class ImportJobErrorsItem(TypedDict):
    row: int
    """The row, counted from 1 without the header"""
    email: Optional[str]
    """The e-mail address"""
    message: str
    """The error message"""


class ImportJob(TypedDict):
    """`processed` = created + updated + skipped + failed"""

    importId: str
    """The import"""
    status: Literal["queued", "processing", "completed", "failed"]
    """The status"""
    totalRows: Optional[int]
    """How many rows the file has; null until they are counted"""
    processed: int
    """How many rows are done"""
    created: int
    """How many contacts were created"""
    updated: int
    """How many contacts were updated"""
    skipped: int
    """How many were skipped"""
    failed: int
    """How many failed"""
    columns: Sequence[ImportJobColumnsItem]
    """The field that each column was imported to; null for a skipped column"""
    errors: Sequence[ImportJobErrorsItem]
    """The first 100; the first data row is 1"""
    error: Optional[str]
    """The error message; null if there was none"""
    createdAt: str
    """When it was created"""
    startedAt: Optional[str]
    """When it began; null before that"""
    finishedAt: Optional[str]
    """When it ended; null before that"""


class ContactField(TypedDict):
    """A custom field that some contact has"""

    field: str
    """The name of the field"""
    type: Literal["string", "number", "boolean", "date", "array", "object", "mixed"]
    """The type of its values; `mixed` where they differ"""
    count: int
    """Number of contacts that have it"""


class FieldValuesDataItem(TypedDict):
    value: Any
    """The value"""
    count: int
    """The count"""


class FieldValues(TypedDict):
    """Most frequent first"""

    field: str
    """The name of the field"""
    data: Sequence[FieldValuesDataItem]
    """The values with their counts, most frequent first"""


class FieldUsageSegmentsItem(TypedDict):
    segmentId: str
    """The segment"""
    name: str
    """Its name"""


class FieldUsageCampaignsItem(TypedDict):
    campaignId: str
    """The campaign"""
    name: str
    """Its name"""


class FieldUsageWorkflowsItem(TypedDict):
    workflowId: str
    """The workflow"""
    name: str
    """Its name"""


class FieldUsageTemplatesItem(TypedDict):
    templateId: str
    """The template"""
    name: str
    """Its name"""


class FieldUsage(TypedDict):
    """References to a custom field"""

    field: str
    """The name of the field"""
    contacts: int
    """Contacts by state, or how many have the field"""
    segments: Sequence[FieldUsageSegmentsItem]
    """Segments that refer to it"""
    campaigns: Sequence[FieldUsageCampaignsItem]
    """Campaigns that refer to it"""
    workflows: Sequence[FieldUsageWorkflowsItem]
    """Workflows that refer to it"""
    templates: Sequence[FieldUsageTemplatesItem]
    """Templates that refer to it"""


class RemovedField(TypedDict):
    """The result of a removal of a field"""

    field: str
    """The name of the field"""
    removed: int
    """Number of contacts that had it"""


class Deleted(TypedDict):
    """Confirms the deletion"""

    success: Literal[True]
    """Always true"""


class TimelineEntry(TypedDict):
    """Something that happened to a contact"""

    entryId: str
    """The entry, by id"""
    kind: Literal["event", "email", "execution", "segment"]
    """The kind of entry"""
    name: str
    """The name of the event"""
    data: Optional[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""
    emailId: Optional[str]
    """The e-mail; null where there is none"""
    workflowId: Optional[str]
    """The workflow; null where there is none"""
    createdAt: str
    """When it happened"""


class Tracking(TypedDict):
    """The tracking settings of the request"""

    opens: NotRequired[bool]
    """Whether opens are followed, by a picture"""
    clicks: NotRequired[bool]
    """Whether clicks are followed, by links that lead through the platform"""


class EmailSummaryTagsItem(TypedDict):
    name: str
    """Its name"""
    value: str
    """The value"""


class EmailSummaryAttachmentsItem(TypedDict):
    filename: str
    """The name of the file"""
    contentType: str
    """The media type of the file"""
    size: int
    """The size of the file in bytes"""
    contentId: NotRequired[str]
    """An extension of this implementation: the content id by which the HTML shows the image"""


class EmailSummary(TypedDict):
    """A message as lists and webhooks show it: all but its content"""

    emailId: str
    """The e-mail"""
    projectId: str
    """The project that it belongs to"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    to: str
    """The recipient"""
    subject: str
    """The subject, which may have placeholders"""
    fromEmail: str
    """The sender's address"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    replyToName: NotRequired[str]
    """An extension of this implementation: the name of `replyTo`, if one was given"""
    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    type: Literal["transactional", "marketing"]
    """The type"""
    status: Literal["queued", "sending", "sent", "delivered", "opened", "clicked", "bounced", "complained", "failed", "received", "cancelled"]
    """The status"""
    templateId: Optional[str]
    """The template; null where there is none"""
    campaignId: Optional[str]
    """The campaign; null where there is none"""
    workflowId: Optional[str]
    """The workflow; null where there is none"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    headers: Optional[Mapping[str, Any]]
    """Custom headers by name; null where there are none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the message has a topic"""
    tracking: NotRequired[Tracking]
    """An extension of this implementation: present if opens or clicks are not tracked"""
    recipientType: NotRequired[Literal["to", "cc", "bcc"]]
    """An extension of this implementation: whether its recipient is in `to`, `cc` or `bcc`; only for a message with `cc` or `bcc`"""
    tags: NotRequired[Sequence[EmailSummaryTagsItem]]
    """An extension of this implementation: its tags, if any"""
    transport: NotRequired[str]
    """An extension of this implementation: the transport of its last attempt, if the operator has several"""
    contentVersion: NotRequired[int]
    """An extension of this implementation: which version of its campaign's content it has; only for mail of campaigns"""
    attachments: Sequence[EmailSummaryAttachmentsItem]
    """Files of the message, without their content"""
    opens: int
    """How often it was opened, at most once a minute"""
    clicks: int
    """How often links were clicked, at most once a minute for each link"""
    attempts: int
    """The number of attempts"""
    bounceType: Optional[Literal["hard", "soft", "block"]]
    """The kind of bounce; null if it did not bounce"""
    error: Optional[str]
    """The error message; null if there was none"""
    messageId: Optional[str]
    """Its Message-ID header; null until it was sent"""
    providerMessageId: Optional[str]
    """The id assigned by the next mail server; null if it assigned none"""
    latencyMs: Optional[float]
    """Duration in milliseconds; null until it is finished"""
    createdAt: str
    """When it was created"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    deliveredAt: Optional[str]
    """When the recipient's mail server accepted it; null until then"""
    openedAt: Optional[str]
    """When it was first opened; null until then"""
    clickedAt: Optional[str]
    """When a link was first clicked; null until then"""


class EmailTagsItem(TypedDict):
    name: str
    """Its name"""
    value: str
    """The value"""


class EmailAttachmentsItem(TypedDict):
    filename: str
    """The name of the file"""
    contentType: str
    """The media type of the file"""
    size: int
    """The size of the file in bytes"""
    contentId: NotRequired[str]
    """An extension of this implementation: the content id by which the HTML shows the image"""


class Email(TypedDict):
    """A message with its rendered content"""

    emailId: str
    """The e-mail"""
    projectId: str
    """The project that it belongs to"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    to: str
    """The recipient"""
    subject: str
    """The subject, which may have placeholders"""
    fromEmail: str
    """The sender's address"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    replyToName: NotRequired[str]
    """An extension of this implementation: the name of `replyTo`, if one was given"""
    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    type: Literal["transactional", "marketing"]
    """The type"""
    status: Literal["queued", "sending", "sent", "delivered", "opened", "clicked", "bounced", "complained", "failed", "received", "cancelled"]
    """The status"""
    templateId: Optional[str]
    """The template; null where there is none"""
    campaignId: Optional[str]
    """The campaign; null where there is none"""
    workflowId: Optional[str]
    """The workflow; null where there is none"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    headers: Optional[Mapping[str, Any]]
    """Custom headers by name; null where there are none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the message has a topic"""
    tracking: NotRequired[Tracking]
    """An extension of this implementation: present if opens or clicks are not tracked"""
    recipientType: NotRequired[Literal["to", "cc", "bcc"]]
    """An extension of this implementation: whether its recipient is in `to`, `cc` or `bcc`; only for a message with `cc` or `bcc`"""
    tags: NotRequired[Sequence[EmailTagsItem]]
    """An extension of this implementation: its tags, if any"""
    transport: NotRequired[str]
    """An extension of this implementation: the transport of its last attempt, if the operator has several"""
    contentVersion: NotRequired[int]
    """An extension of this implementation: which version of its campaign's content it has; only for mail of campaigns"""
    attachments: Sequence[EmailAttachmentsItem]
    """Files of the message, without their content"""
    opens: int
    """How often it was opened, at most once a minute"""
    clicks: int
    """How often links were clicked, at most once a minute for each link"""
    attempts: int
    """The number of attempts"""
    bounceType: Optional[Literal["hard", "soft", "block"]]
    """The kind of bounce; null if it did not bounce"""
    error: Optional[str]
    """The error message; null if there was none"""
    messageId: Optional[str]
    """Its Message-ID header; null until it was sent"""
    providerMessageId: Optional[str]
    """The id assigned by the next mail server; null if it assigned none"""
    latencyMs: Optional[float]
    """Duration in milliseconds; null until it is finished"""
    createdAt: str
    """When it was created"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    deliveredAt: Optional[str]
    """When the recipient's mail server accepted it; null until then"""
    openedAt: Optional[str]
    """When it was first opened; null until then"""
    clickedAt: Optional[str]
    """When a link was first clicked; null until then"""
    body: str
    """The rendered HTML"""
    text: str
    """Plain text"""
    contentKept: NotRequired[Literal[False]]
    """An extension of this implementation: `false` if the content was deleted; `body` and `text` are then empty"""
    contentHidden: NotRequired[Literal[True]]
    """An extension of this implementation: `true` if the key has the scope `sending`, which cannot read content; `body` and `text` are then empty"""


class CancelledEmail(TypedDict):
    """A message that will not be sent"""

    emailId: str
    """The e-mail"""
    status: Literal["cancelled"]
    """The status"""


class ContentVariant(TypedDict):
    """A content in one language"""

    subject: str
    """The subject, which may have placeholders"""
    body: str
    """The text, as HTML where it is a message"""
    previewText: NotRequired[Optional[str]]
    """What email clients show after the subject"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    bodyBlocks: NotRequired[Union[str, Sequence[Any], Mapping[str, Any]]]
    """Present if it has a design"""


class Template(TypedDict):
    """`version` is bumped on every change of content; old versions are kept for rollback"""

    templateId: str
    """The template"""
    subject: str
    """The subject, which may have placeholders"""
    body: str
    """The text, as HTML where it is a message"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    fromEmail: str
    """The sender's address"""
    bodyBlocks: NotRequired[Union[str, Sequence[Any], Mapping[str, Any]]]
    """An extension of this implementation: present if it has a design"""
    variants: NotRequired[Mapping[str, ContentVariant]]
    """An extension of this implementation: present if there are variants, by language (BCP 47)"""
    version: int
    """The version, counted from 1"""
    createdAt: str
    """When it was created"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    type: Literal["transactional", "marketing"]
    """Whether unsubscribed contacts get its messages: `marketing` skips them"""
    updatedAt: str
    """When it was last updated"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""
    tracking: NotRequired[Tracking]
    """An extension of this implementation: present if the template sets it"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the template has a topic"""


class ContentVariantInput(TypedDict):
    """The content in one language"""

    subject: str
    """The subject, which may have placeholders"""
    body: str
    """HTML with placeholders"""
    previewText: NotRequired[Optional[str]]
    """The preview text; absent or null for none"""
    fromName: NotRequired[Optional[str]]
    """The name of the sender; absent or null for the default's"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """The visual editor's design: stored as given, never sent"""


class CreateTemplateRequest(TypedDict):
    """The body of `createTemplate`"""

    name: str
    """Its name"""
    subject: str
    """The subject, which may have placeholders"""
    body: str
    """HTML with placeholders"""
    fromEmail: str
    """The sender's address"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """An extension of this implementation: the visual editor's design: stored as given, never sent. Null for none"""
    tracking: NotRequired[Optional[TrackingWish]]
    """An extension of this implementation: the tracking of its messages, unless a send overrides it; null uses the default of the project"""
    topicId: NotRequired[Optional[str]]
    """An extension of this implementation: the topic of its messages, unless a send names another. Only of a `marketing` template; null for none"""
    variants: NotRequired[Optional[Mapping[str, ContentVariantInput]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none"""
    type: NotRequired[Literal["transactional", "marketing"]]
    """The type; default `"transactional"`"""


class UpdateTemplateRequest(TypedDict):
    """The body of `updateTemplate`"""

    name: NotRequired[str]
    """Its name"""
    subject: NotRequired[str]
    """The subject, which may have placeholders"""
    body: NotRequired[str]
    """HTML with placeholders"""
    fromEmail: NotRequired[str]
    """The sender's address"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """An extension of this implementation: the visual editor's design: stored as given, never sent. Null for none"""
    tracking: NotRequired[Optional[TrackingWish]]
    """An extension of this implementation: the tracking of its messages, unless a send overrides it; null uses the default of the project"""
    topicId: NotRequired[Optional[str]]
    """An extension of this implementation: the topic of its messages, unless a send names another. Only of a `marketing` template; null for none"""
    variants: NotRequired[Optional[Mapping[str, Optional[ContentVariantInput]]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default. Languages that are not given stay; null removes one, or all"""
    type: NotRequired[Literal["transactional", "marketing"]]
    """The type"""


class TemplateVersion(TypedDict):
    """The full content of the version, not a diff"""

    templateId: str
    """The template"""
    subject: str
    """The subject, which may have placeholders"""
    body: str
    """The text, as HTML where it is a message"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    fromEmail: str
    """The sender's address"""
    bodyBlocks: NotRequired[Union[str, Sequence[Any], Mapping[str, Any]]]
    """An extension of this implementation: present if it has a design"""
    variants: NotRequired[Mapping[str, ContentVariant]]
    """An extension of this implementation: present if there are variants, by language (BCP 47)"""
    version: int
    """The version, counted from 1"""
    createdAt: str
    """When it was created"""


class RollBackTemplateRequest(TypedDict):
    """The body of `rollBackTemplate`"""

    version: int
    """The version to roll back to"""


class TestSendTemplateRequest(TypedDict):
    """The body of `testSendTemplate`"""

    to: str
    """The recipient of the test"""
    variables: NotRequired[Mapping[str, Any]]
    """Values for placeholders; they win over contact fields of the same name"""
    language: NotRequired[Union[Literal["default", "all"], str]]
    """An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets"""


class TestSentLanguagesItem(TypedDict):
    language: Optional[str]
    """Null for the default"""
    id: str
    """The id"""
    status: Literal["sent", "queued", "scheduled"]
    """The status"""
    unresolvedPlaceholders: NotRequired[Sequence[str]]
    """With a test key, and in test sends: the placeholders that had neither a value nor a fallback; absent if there are none; an extension of this implementation"""


class TestSent(TypedDict):
    """A test message that was accepted"""

    id: str
    """The id"""
    to: str
    """The recipient"""
    status: Literal["sent", "queued", "scheduled"]
    """The status"""
    unresolvedPlaceholders: NotRequired[Sequence[str]]
    """With a test key, and in test sends: the placeholders that had neither a value nor a fallback; absent if there are none; an extension of this implementation"""
    languages: NotRequired[Sequence[TestSentLanguagesItem]]
    """An extension of this implementation: present if all languages were sent; the first one is the default"""


class DnsRecord(TypedDict):
    """A DNS record to publish"""

    purpose: Literal["ownership", "dkim", "spf", "dmarc", "tracking", "mailfrom"]
    """The purpose of the record"""
    type: Literal["TXT", "CNAME", "MX"]
    """The type of the record"""
    host: str
    """The name of the record"""
    value: str
    """The expected value"""
    status: Literal["pending", "verified", "failed", "not_applicable"]
    """Whether DNS has this value"""


class DnsCheck(TypedDict):
    """The answer of DNS for a record, and the expected one"""

    purpose: Literal["ownership", "dkim", "spf", "dmarc", "tracking", "mailfrom"]
    """Its purpose"""
    type: Literal["TXT", "CNAME", "MX"]
    """The type of the record"""
    host: str
    """The name that was queried"""
    expected: str
    """The expected value"""
    answer: Optional[Literal["found", "none", "unknown"]]
    """`found`: records exist; `none`: no record exists; `unknown`: the name servers failed or did not answer in time; null until DNS is checked"""
    found: Sequence[str]
    """The records found, those of the expected type first; up to 10, each up to 1,024 characters"""
    zoneLine: str
    """The record to publish as a line of a zone file, a long text in strings of at most 255 bytes"""


class Domain(TypedDict):
    """A sending domain"""

    domainId: str
    """The domain"""
    projectId: str
    """The project that it belongs to"""
    domain: str
    """The name of the domain"""
    status: Literal["pending", "verified", "failed"]
    """The status"""
    dkimStatus: Literal["pending", "verified", "failed", "not_applicable"]
    """Whether its DKIM key is published"""
    spfStatus: Literal["pending", "verified", "failed"]
    """Whether its SPF record is right"""
    dmarcStatus: Literal["pending", "verified", "failed"]
    """Whether it has a DMARC record"""
    trackingStatus: Literal["pending", "verified", "failed"]
    """Whether links can use a tracking host of the domain"""
    mailFromStatus: Literal["pending", "verified", "failed", "not_applicable"]
    """Whether bounces can go to a return-path host of the domain"""
    mailFromDomain: Optional[str]
    """The return-path host for bounces; null if there is none"""
    selector: Optional[str]
    """The DKIM key is published at <selector>._domainkey.<domain>"""
    verifiedForSending: bool
    """Whether messages may be sent from it"""
    dkimTokens: Sequence[str]
    """The selectors of its DKIM keys"""
    verificationToken: Optional[str]
    """The token that proves ownership; null if no proof is needed"""
    lastCheckedAt: Optional[str]
    """When DNS was last checked; null until then"""
    createdAt: str
    """When it was created"""
    dnsRecords: Sequence[DnsRecord]
    """The value to publish"""
    nextCheckAt: Optional[str]
    """When DNS is checked next; null if no check is planned until you call `verify`; an extension of this implementation"""
    dnsChecks: Sequence[DnsCheck]
    """The answer of DNS at `lastCheckedAt` for each of `dnsRecords`, in their order; an extension of this implementation"""


class CreateDomainRequest(TypedDict):
    """The body of `createDomain`"""

    domain: str
    """An internationalised name is stored in its ASCII form"""
    dkim: NotRequired[Literal["rsa2048"]]
    """The kind of DKIM key; default `"rsa2048"`"""


class Segment(TypedDict):
    """A group of contacts"""

    segmentId: str
    """The segment"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    description: Optional[str]
    """A note for your own use"""
    type: Literal["dynamic", "static"]
    """dynamic: computed from `conditions`; static: managed through its members"""
    conditions: Optional[Mapping[str, Any]]
    """A condition tree; null on a static segment"""
    memberCount: int
    """Exact in the response to a create, update or refresh; up to one minute old elsewhere"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""


class ConditionFilter(TypedDict):
    """One comparison"""

    field: str
    """email, createdAt, data.<path>, event.<name>, email.<status>, segment.<segmentId>, ..."""
    operator: Literal["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "in", "notIn", "exists", "notExists", "greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual", "within", "olderThan", "triggered", "notTriggered", "triggeredWithin", "notTriggeredWithin", "triggeredOlderThan", "countAtLeast", "countLessThan", "memberOf", "notMemberOf"]
    """How field and value are compared"""
    value: NotRequired[Any]
    """The value to compare with: a string, number, boolean, or a list of them"""
    unit: NotRequired[Literal["minutes", "hours", "days"]]
    """The unit of time"""
    within: NotRequired[float]
    """The window of countAtLeast and countLessThan, in `unit`s"""
    campaignId: NotRequired[str]
    """Narrows email.<status>"""
    nodeId: NotRequired[str]
    """An extension of this implementation, in automations only: narrows email.<status> to the message that this `send_email` node of the same execution sent"""


class ConditionGroup(TypedDict):
    """All filters and the nested tree must hold"""

    filters: Sequence[ConditionFilter]
    """Comparisons that must all match"""
    conditions: NotRequired[ConditionTree]


class ConditionTree(TypedDict):
    """`logic` joins the groups; trees nest up to five levels"""

    logic: Literal["and", "or"]
    """Whether all groups must match (`and`) or any of them (`or`)"""
    groups: Sequence[ConditionGroup]
    """Groups of filters"""


class CreateSegmentRequest(TypedDict):
    """The body of `createSegment`"""

    name: str
    """Its name"""
    description: NotRequired[Optional[str]]
    """A note for your own use"""
    type: NotRequired[Literal["dynamic", "static"]]
    """The type; default `"dynamic"`"""
    conditions: NotRequired[ConditionTree]


class PreviewSegmentRequest(TypedDict):
    """The body of `previewSegment`"""

    conditions: ConditionTree


class SegmentPreview(TypedDict):
    """At most 10 in the sample"""

    count: int
    """The count"""
    sample: Sequence[Contact]
    """Some of them"""


class UpdateSegmentRequest(TypedDict):
    """The body of `updateSegment`"""

    name: NotRequired[str]
    """Its name"""
    description: NotRequired[Optional[str]]
    """A note for your own use"""
    conditions: NotRequired[ConditionTree]


class SegmentMember(TypedDict):
    """A contact in a segment"""

    contactId: str
    """The contact"""
    projectId: str
    """The project that it belongs to"""
    email: str
    """The e-mail address"""
    firstName: Optional[str]
    """First name; null where it is not known"""
    lastName: Optional[str]
    """Last name; null where it is not known"""
    subscribed: bool
    """Whether it is subscribed to marketing mail"""
    data: Optional[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""
    locale: Optional[str]
    """Language and region (BCP 47), e.g. `de-AT`"""
    timezone: Optional[str]
    """An extension of this implementation: the time zone of the person (IANA), e.g. `Europe/Vienna`; null if unknown"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""
    snoozedUntil: NotRequired[str]
    """When the pause of marketing mail ends; present while the contact pauses it; an extension of this implementation"""
    enteredAt: str
    """When it entered the segment"""


class AddSegmentMembersRequest(TypedDict):
    """The body of `addSegmentMembers`"""

    emails: Sequence[str]
    """The addresses of the contacts"""


class AddedMembers(TypedDict):
    """The result of an addition of members"""

    added: int
    """How many became members"""
    missing: Sequence[str]
    """Addresses without a contact"""


class RemovedMember(TypedDict):
    """The result of a removal of a member"""

    removed: bool
    """Whether it was a member"""


class CampaignVariant(TypedDict):
    """The content of a campaign in one language"""

    subject: str
    """The subject, which may have placeholders"""
    body: str
    """The text, as HTML where it is a message"""
    previewText: NotRequired[Optional[str]]
    """What email clients show after the subject"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    bodyBlocks: NotRequired[Union[str, Sequence[Any], Mapping[str, Any]]]
    """Present if it has a design"""
    abSubjectB: NotRequired[Optional[str]]
    """Subject B of an A/B test; null if there is none"""


class StoredSendOnce(TypedDict):
    """The send-once key of a campaign"""

    key: str
    """Names the message"""
    within: NotRequired[str]
    """A length of time, such as `7d`. Absent: forever"""


class MachineOpensEstimate(TypedDict):
    opened: int
    """Estimated opened messages, if readers behind a proxy open as often as all others"""
    low: int
    """The lower end of the interval"""
    high: int
    """The upper end of the interval"""
    confidence: float
    """The share of such intervals that contain the true share of other readers"""


class MachineOpens(TypedDict):
    """Opens and clicks by machines, and an estimate of the true opens"""

    proxied: int
    """Messages whose images a proxy loaded ahead of the reader, as Apple Mail does"""
    scanned: int
    """Messages that another machine opened or clicked"""
    estimate: Optional[MachineOpensEstimate]
    """Null if a proxy loaded the images of all delivered messages"""


class CampaignPause(TypedDict):
    """The pause of a campaign"""

    at: str
    """The beginning of the hour, day or month, or the instant"""
    until: Optional[str]
    """When it resumes automatically"""
    retries: Literal["continue", "hold"]
    """`continue` retries deferred messages while the campaign is paused; `hold` holds them until it resumes"""
    alsoHeld: Optional[str]
    """The reason for which it would be on hold if it were not paused"""


class ShownSchedule(TypedDict):
    """When a recurring campaign has its turns"""

    rrule: NotRequired[str]
    """The value of an RRULE of RFC 5545"""
    cron: NotRequired[str]
    """A cron expression of five fields"""
    timezone: str
    """The time zone, as `Europe/Vienna`"""
    until: Optional[str]
    """The instant, with an offset"""
    count: Optional[int]
    """The count"""
    catchUp: Literal["latest", "skip", "ask"]
    """What happens to missed turns"""


class ShownFeed(TypedDict):
    """The feed of a recurring campaign"""

    url: str
    """The URL"""
    minItems: int
    """With fewer new entries, the turn is skipped"""
    maxItems: int
    """New entries beyond these stay for later turns"""
    sort: Literal["newest", "oldest"]
    """Which entries a turn takes first: the `newest` or the `oldest`"""


class TurnOfSeries(TypedDict):
    """Which turn of which series a campaign is"""

    seriesId: str
    """The recurring campaign"""
    number: int
    """Starts at 1 and includes skipped turns"""
    at: str
    """The beginning of the hour, day or month, or the instant"""


class ShownWindowsExpireAfter(TypedDict):
    """A message that would wait longer is skipped"""

    amount: int
    """How many units"""
    unit: Literal["minutes", "hours", "days"]
    """The unit of time"""


ShownWindows = TypedDict(
    "ShownWindows",
    {
        # The weekdays on which a window opens; 1 = Monday
        "days": "Sequence[int]",
        # When it opens, HH:MM
        "from": "str",
        # When it closes, HH:MM up to 24:00. A time that is not after `from` is on the next day
        "until": "str",
        # The zone of the times (IANA), or `recipient`: that of each contact
        "timezone": "str",
        # The time zone for contacts whose own is not known
        "fallback": "str",
        # Whether a message outside of the window waits for the next opening, or is skipped
        "outside": "Literal['wait', 'skip']",
        # A message that would wait longer is skipped
        "expireAfter": "NotRequired[ShownWindowsExpireAfter]",
    },
)
"""When marketing mail may go out"""


class LocalTimeLaunch(TypedDict):
    """The local time at which each recipient gets it"""

    at: str
    """The date and time of day"""
    passed: Literal["now", "nextDay", "skip"]
    """What happens to recipients whose local time had already passed at the start"""
    fallback: str
    """The time zone for recipients whose own is not known"""


class RolloutFinding(TypedDict):
    """The reason why a rollout stopped"""

    check: Literal["bounces", "refusals", "complaints", "failures", "provider_refuses"]
    """The name of the check, for programs"""
    what: str
    """The finding"""
    how: str
    """Recommended action"""
    detail: str
    """The figures or the reply that it is about"""


class ShownRolloutStepWait(TypedDict):
    amount: int
    """How many units"""
    unit: Literal["minutes", "hours", "days"]
    """The unit of time"""


class ShownRolloutStepResult(TypedDict):
    sent: int
    """Messages that were sent"""
    bounced: int
    """Messages that bounced"""
    refused: int
    """Bounced because of the sender or the content"""
    complained: int
    """Messages that were reported as spam"""
    failed: int
    """How many failed"""


class ShownRolloutStep(TypedDict):
    """A step of a rollout, and how far it is"""

    percent: int
    """The share of the audience that has got its message after this step"""
    wait: Optional[ShownRolloutStepWait]
    """The wait after it; null in the last step"""
    state: Literal["pending", "sending", "waiting", "held", "done", "cancelled"]
    """`waiting`: it is sent, and its wait is not over. `held`: its results stopped the rollout. `done`: the next step may go out"""
    recipients: Optional[int]
    """Recipients of this step; null until the audience is frozen"""
    sentAt: Optional[str]
    """When its wait began"""
    checkAt: Optional[str]
    """While it waits: when it is checked, and the next step begins"""
    result: Optional[ShownRolloutStepResult]
    """Counts of the check since the previous one; null until then"""
    findings: Sequence[RolloutFinding]
    """The reason why the rollout stopped after this step"""


class Campaign(TypedDict):
    """A campaign with its counters"""

    campaignId: str
    """The campaign"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    subject: str
    """The subject, which may have placeholders"""
    previewText: Optional[str]
    """What email clients show after the subject"""
    body: str
    """The text, as HTML where it is a message"""
    bodyBlocks: Optional[Union[str, Sequence[Any], Mapping[str, Any]]]
    """The visual editor's design: stored as given, never sent"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    fromEmail: str
    """The sender's address"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    variants: NotRequired[Mapping[str, CampaignVariant]]
    """An extension of this implementation: present if there are variants, by language (BCP 47)"""
    status: Literal["draft", "scheduled", "sending", "sent", "cancelled"]
    """The status"""
    heldReason: Optional[str]
    """Why a sending campaign is on hold. `provider_refuses`: recipients of one provider wait, others may get their message. `rollout_stopped`: the results of a step stopped the rollout; resume the campaign to continue"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    audience: Literal["all", "segment", "filter"]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    segmentId: Optional[str]
    """The segment; null where there is none"""
    filter: Optional[Mapping[str, Any]]
    """A condition tree that selects contacts; null if there is none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the campaign has a topic"""
    sendOnce: NotRequired[StoredSendOnce]
    """An extension of this implementation: present if the campaign has a send-once key"""
    abSubjectB: Optional[str]
    """Subject B of an A/B test; null if there is none"""
    abSamplePct: Optional[int]
    """Percent of the audience that gets A or B first"""
    abDecideAt: Optional[str]
    """When the winner is chosen; null if there is no A/B test"""
    abWinner: Optional[Literal["a", "b"]]
    """The winning variant; null until it is chosen"""
    throttlePerMinute: Optional[int]
    """The maximum number of messages per minute; null for no limit"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    totalRecipients: int
    """The size of the audience when it was frozen"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    unsubscribed: int
    """Unsubscribes"""
    createdAt: str
    """When it was created"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""
    machines: NotRequired[MachineOpens]
    """An extension of this implementation: present if machines opened messages. They are not in `opened` or `clicked`"""
    decide: NotRequired[Literal["afterResume"]]
    """Present if the winner is not chosen while the campaign is paused; an extension of this implementation"""
    paused: NotRequired[CampaignPause]
    """While it is paused; an extension of this implementation"""
    schedule: NotRequired[ShownSchedule]
    """Present if the campaign is recurring; an extension of this implementation"""
    evergreen: NotRequired[Literal[True]]
    """Present if each contact gets the campaign once, in any of its turns; an extension of this implementation"""
    feed: NotRequired[ShownFeed]
    """Present if the turns of the campaign send entries of a feed; an extension of this implementation"""
    nextTurnAt: NotRequired[Optional[str]]
    """Present once a recurring campaign is sent: the instant of its next turn; null if there is none; an extension of this implementation"""
    turns: NotRequired[int]
    """Present once a recurring campaign is sent: the number of turns so far, including skipped turns; an extension of this implementation"""
    turnOf: NotRequired[TurnOfSeries]
    """Present if the campaign is a turn of a recurring one; an extension of this implementation"""
    windows: NotRequired[ShownWindows]
    """An extension of this implementation: present if the campaign has windows of its own"""
    localTime: NotRequired[LocalTimeLaunch]
    """An extension of this implementation: present if it is launched at a local time"""
    rollout: NotRequired[Sequence[ShownRolloutStep]]
    """An extension of this implementation: present if the campaign is sent in steps"""
    contentVersion: NotRequired[int]
    """The version that is sent, from 2 on; present once the content was corrected; an extension of this implementation"""


class CampaignVariantInput(TypedDict):
    """The content of a campaign in one language"""

    subject: str
    """The subject, which may have placeholders"""
    body: str
    """HTML with placeholders"""
    previewText: NotRequired[Optional[str]]
    """The preview text; absent or null for none"""
    fromName: NotRequired[Optional[str]]
    """The name of the sender; absent or null for the default's"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """The visual editor's design: stored as given, never sent"""
    abSubjectB: NotRequired[Optional[str]]
    """The second subject, if the campaign is an A/B test"""


class CampaignSchedule(TypedDict):
    """When a campaign has its turns"""

    rrule: NotRequired[str]
    """The value of an RRULE of RFC 5545, such as `FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0`"""
    cron: NotRequired[str]
    """Instead of `rrule`: five fields, such as `0 9 * * 2`"""
    timezone: str
    """Time zone of the rule (IANA)"""
    until: NotRequired[Optional[str]]
    """No turn starts after this instant"""
    count: NotRequired[Optional[int]]
    """The number of turns, including skipped turns"""
    catchUp: NotRequired[Literal["latest", "skip", "ask"]]
    """What happens to missed turns: `latest` sends the latest one, `skip` sends none, `ask` waits for your answer; default `"latest"`"""


class CampaignFeed(TypedDict):
    """The feed whose new entries each turn sends"""

    url: str
    """RSS, Atom or JSON Feed"""
    minItems: NotRequired[int]
    """With fewer new entries, the turn is skipped; default `1`"""
    maxItems: NotRequired[int]
    """New entries beyond these stay for later turns; default `10`"""
    sort: NotRequired[Literal["newest", "oldest"]]
    """Which entries a turn takes first: the `newest` or the `oldest`; default `"newest"`"""


class SendWindowsExpireAfter(TypedDict):
    """A message that would wait longer is skipped"""

    amount: int
    """How many units"""
    unit: Literal["minutes", "hours", "days"]
    """The unit of time"""


SendWindows = TypedDict(
    "SendWindows",
    {
        # The weekdays on which a window opens; 1 = Monday; default all
        "days": "NotRequired[Sequence[int]]",
        # When it opens, HH:MM
        "from": "str",
        # When it closes, HH:MM up to 24:00. A time that is not after `from` is on the next day
        "until": "str",
        # The zone of the times (IANA), or `recipient`: that of each contact; default `"recipient"`
        "timezone": "NotRequired[str]",
        # The time zone for contacts whose own is not known; default `"UTC"`
        "fallback": "NotRequired[str]",
        # Whether a message outside of the window waits for the next opening, or is skipped; default `"wait"`
        "outside": "NotRequired[Literal['wait', 'skip']]",
        # A message that would wait longer is skipped
        "expireAfter": "NotRequired[SendWindowsExpireAfter]",
    },
)
"""When marketing mail may go out"""


class CreateCampaignRequest(TypedDict):
    """The body of `createCampaign`"""

    name: str
    """Its name"""
    subject: str
    """The subject, which may have placeholders"""
    body: str
    """HTML with placeholders"""
    fromEmail: str
    """The sender's address"""
    previewText: NotRequired[Optional[str]]
    """What email clients show after the subject"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """The visual editor's design: stored as given, never sent"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    variants: NotRequired[Optional[Mapping[str, CampaignVariantInput]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none"""
    replyTo: NotRequired[Optional[str]]
    """The Reply-To address; null for the From address"""
    segmentId: NotRequired[Optional[str]]
    """Required when the audience is `segment`"""
    filter: NotRequired[Optional[ConditionTree]]
    """Required when the audience is `filter`"""
    topicId: NotRequired[Optional[str]]
    """An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none"""
    schedule: NotRequired[Optional[CampaignSchedule]]
    """An extension of this implementation: makes the campaign recurring. Sending it starts a series; each turn is a campaign of its own"""
    evergreen: NotRequired[bool]
    """An extension of this implementation: each turn goes only to contacts that no previous turn has reached"""
    feed: NotRequired[Optional[CampaignFeed]]
    """An extension of this implementation: the feed of a recurring campaign; its text reads `{{#each feed.items}}`. Null for none"""
    windows: NotRequired[Optional[SendWindows]]
    """An extension of this implementation: when it may go out; null for the project's windows"""
    sendOnce: NotRequired[Optional[SendOnce]]
    """An extension of this implementation: recipients who have, or are about to get, a message of the key are skipped as `limit_reached`. Null for none"""
    abSubjectB: NotRequired[Optional[str]]
    """Makes the campaign an A/B test; empty for none"""
    abSamplePct: NotRequired[Optional[int]]
    """Percent of the audience that gets A or B first; default 20"""
    audience: NotRequired[Literal["all", "segment", "filter"]]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter; default `"all"`"""


class CountAudienceRequest(TypedDict):
    """The body of `countAudience`"""

    audience: Literal["all", "segment", "filter"]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    segmentId: NotRequired[Optional[str]]
    """Required when the audience is `segment`"""
    filter: NotRequired[Optional[ConditionTree]]
    """Required when the audience is `filter`"""
    topicId: NotRequired[Optional[str]]
    """An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none"""


class AudienceCount(TypedDict):
    """Subscribed contacts that are not suppressed: the audience of a send right now"""

    count: int
    """The number of contacts that would receive a send right now"""


class VariantFigures(TypedDict):
    """The results of one variant; opens and clicks by machines are not counted"""

    sent: int
    """Messages that were attempted"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""


class VariantDifference(TypedDict):
    """The share of A minus the share of B, with its confidence interval"""

    difference: float
    """The share of A minus that of B, from -1 to 1"""
    low: float
    """The lower bound of the interval"""
    high: float
    """The upper bound of the interval"""
    winner: Literal["a", "b", "none"]
    """Which variant is better; `none` if the interval includes 0 and the difference may be due to chance"""


class VariantComparisonSample(TypedDict):
    """Recipients of variant A or B before the winner was chosen"""

    a: VariantFigures
    b: VariantFigures


class VariantComparison(TypedDict):
    """A comparison of the two variants of an A/B test"""

    decidedAt: Optional[str]
    """When the winner was chosen, by this sample; null until then, and for a cancelled A/B test"""
    confidence: float
    """The confidence level of the intervals"""
    sample: VariantComparisonSample
    """Recipients of variant A or B before the winner was chosen"""
    opens: Optional[VariantDifference]
    """Compares the shares of messages opened; null until something of both was sent"""
    clicks: Optional[VariantDifference]
    """Compares the shares of messages clicked; null until something of both was sent"""


class HeldProvider(TypedDict):
    """A provider that refuses the mail of a sender"""

    provider: str
    """`google`, `outlook`, `yahoo`, `apple`, or the registered domain of the mail exchanger"""
    reply: str
    """The last reply"""
    since: str
    """When the hold began"""
    refused: int
    """Messages of the project that it refused by its rules for senders"""
    remaining: Optional[int]
    """Recipients of this campaign who wait; null until all others are done"""
    how: str
    """Recommended action, human-readable, such as records to publish"""
    nextCheckAt: Optional[str]
    """When Lettermill checks next whether the provider accepts the mail"""


class CampaignVersion(TypedDict):
    """The results of a version of the content"""

    version: int
    """As `contentVersion` of recipients and e-mails"""
    sent: int
    """Recipients whose message was attempted"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    until: Optional[str]
    """When the next version replaced it; null for the current version"""


class LaunchWarning(TypedDict):
    """A note to read before you send"""

    code: Literal["no_postal_address"]
    """The kind of warning, for programs"""
    message: str
    """Recommended action, human-readable"""


class CampaignDetailBySubject(TypedDict):
    a: VariantFigures
    b: VariantFigures


class CampaignDetail(TypedDict):
    """A campaign with its estimated audience and its statistics"""

    campaignId: str
    """The campaign"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    subject: str
    """The subject, which may have placeholders"""
    previewText: Optional[str]
    """What email clients show after the subject"""
    body: str
    """The text, as HTML where it is a message"""
    bodyBlocks: Optional[Union[str, Sequence[Any], Mapping[str, Any]]]
    """The visual editor's design: stored as given, never sent"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    fromEmail: str
    """The sender's address"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    variants: NotRequired[Mapping[str, CampaignVariant]]
    """An extension of this implementation: present if there are variants, by language (BCP 47)"""
    status: Literal["draft", "scheduled", "sending", "sent", "cancelled"]
    """The status"""
    heldReason: Optional[str]
    """Why a sending campaign is on hold. `provider_refuses`: recipients of one provider wait, others may get their message. `rollout_stopped`: the results of a step stopped the rollout; resume the campaign to continue"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    audience: Literal["all", "segment", "filter"]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    segmentId: Optional[str]
    """The segment; null where there is none"""
    filter: Optional[Mapping[str, Any]]
    """A condition tree that selects contacts; null if there is none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the campaign has a topic"""
    sendOnce: NotRequired[StoredSendOnce]
    """An extension of this implementation: present if the campaign has a send-once key"""
    abSubjectB: Optional[str]
    """Subject B of an A/B test; null if there is none"""
    abSamplePct: Optional[int]
    """Percent of the audience that gets A or B first"""
    abDecideAt: Optional[str]
    """When the winner is chosen; null if there is no A/B test"""
    abWinner: Optional[Literal["a", "b"]]
    """The winning variant; null until it is chosen"""
    throttlePerMinute: Optional[int]
    """The maximum number of messages per minute; null for no limit"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    totalRecipients: int
    """The size of the audience when it was frozen"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    unsubscribed: int
    """Unsubscribes"""
    createdAt: str
    """When it was created"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""
    machines: NotRequired[MachineOpens]
    """An extension of this implementation: present if machines opened messages. They are not in `opened` or `clicked`"""
    decide: NotRequired[Literal["afterResume"]]
    """Present if the winner is not chosen while the campaign is paused; an extension of this implementation"""
    paused: NotRequired[CampaignPause]
    """While it is paused; an extension of this implementation"""
    schedule: NotRequired[ShownSchedule]
    """Present if the campaign is recurring; an extension of this implementation"""
    evergreen: NotRequired[Literal[True]]
    """Present if each contact gets the campaign once, in any of its turns; an extension of this implementation"""
    feed: NotRequired[ShownFeed]
    """Present if the turns of the campaign send entries of a feed; an extension of this implementation"""
    nextTurnAt: NotRequired[Optional[str]]
    """Present once a recurring campaign is sent: the instant of its next turn; null if there is none; an extension of this implementation"""
    turns: NotRequired[int]
    """Present once a recurring campaign is sent: the number of turns so far, including skipped turns; an extension of this implementation"""
    turnOf: NotRequired[TurnOfSeries]
    """Present if the campaign is a turn of a recurring one; an extension of this implementation"""
    windows: NotRequired[ShownWindows]
    """An extension of this implementation: present if the campaign has windows of its own"""
    localTime: NotRequired[LocalTimeLaunch]
    """An extension of this implementation: present if it is launched at a local time"""
    rollout: NotRequired[Sequence[ShownRolloutStep]]
    """An extension of this implementation: present if the campaign is sent in steps"""
    contentVersion: NotRequired[int]
    """The version that is sent, from 2 on; present once the content was corrected; an extension of this implementation"""
    estimatedAudience: Optional[int]
    """Counted now for drafts and scheduled campaigns"""
    sent: int
    """Recipients whose message was attempted; an extension of this implementation"""
    skipped: int
    """Recipients that were skipped; an extension of this implementation"""
    failed: int
    """Messages that failed permanently, other than by a bounce; an extension of this implementation"""
    deferred: int
    """Messages that were deferred and will be retried; an extension of this implementation"""
    bySubject: Optional[CampaignDetailBySubject]
    """For an A/B test: the results of each subject; an extension of this implementation"""
    comparison: Optional[VariantComparison]
    """For an A/B test: the comparison of the variants; an extension of this implementation"""
    heldProviders: NotRequired[Sequence[HeldProvider]]
    """Present while providers refuse the mail of this sender by their rules for senders: recipients there wait, others get their message; an extension of this implementation"""
    nextAt: Optional[str]
    """While recipients wait for their send time: the next one; an extension of this implementation"""
    byVersion: Optional[Sequence[CampaignVersion]]
    """Present once the content is corrected: the results of each version, in order; an extension of this implementation"""
    warnings: Sequence[LaunchWarning]
    """For a draft: notes to read before you send it; empty if there are none; an extension of this implementation"""


class UpdateCampaignRequest(TypedDict):
    """The body of `updateCampaign`"""

    name: NotRequired[str]
    """Its name"""
    subject: NotRequired[str]
    """The subject, which may have placeholders"""
    body: NotRequired[str]
    """HTML with placeholders"""
    fromEmail: NotRequired[str]
    """The sender's address"""
    audience: NotRequired[Literal["all", "segment", "filter"]]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    previewText: NotRequired[Optional[str]]
    """What email clients show after the subject"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """The visual editor's design: stored as given, never sent"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    variants: NotRequired[Optional[Mapping[str, Optional[CampaignVariantInput]]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default. Languages that are not given stay; null removes one, or all"""
    replyTo: NotRequired[Optional[str]]
    """The Reply-To address; null for the From address"""
    segmentId: NotRequired[Optional[str]]
    """Required when the audience is `segment`"""
    filter: NotRequired[Optional[ConditionTree]]
    """Required when the audience is `filter`"""
    topicId: NotRequired[Optional[str]]
    """An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none"""
    schedule: NotRequired[Optional[CampaignSchedule]]
    """An extension of this implementation: makes the campaign recurring. Sending it starts a series; each turn is a campaign of its own"""
    evergreen: NotRequired[bool]
    """An extension of this implementation: each turn goes only to contacts that no previous turn has reached"""
    feed: NotRequired[Optional[CampaignFeed]]
    """An extension of this implementation: the feed of a recurring campaign; its text reads `{{#each feed.items}}`. Null for none"""
    windows: NotRequired[Optional[SendWindows]]
    """An extension of this implementation: when it may go out; null for the project's windows"""
    sendOnce: NotRequired[Optional[SendOnce]]
    """An extension of this implementation: recipients who have, or are about to get, a message of the key are skipped as `limit_reached`. Null for none"""
    abSubjectB: NotRequired[Optional[str]]
    """Makes the campaign an A/B test; empty for none"""
    abSamplePct: NotRequired[Optional[int]]
    """Percent of the audience that gets A or B first; default 20"""


class RolloutWait(TypedDict):
    """How long the campaign waits after a step: from 1 minute to 30 days"""

    amount: int
    """How many units"""
    unit: Literal["minutes", "hours", "days"]
    """The unit of time"""


class RolloutStep(TypedDict):
    """A step in which a campaign is sent"""

    percent: int
    """The share of the audience that has got its message after this step"""
    wait: NotRequired[RolloutWait]
    """Required in each step but the last, which has none"""


class SendCampaignRequest(TypedDict):
    """The body of `sendCampaign`"""

    scheduledFor: NotRequired[str]
    """When it starts. With `localTime`, the date and time in each recipient’s time zone: an offset is optional and ignored"""
    localTime: NotRequired[bool]
    """An extension of this implementation: each recipient gets it when their own clock shows `scheduledFor`"""
    passed: NotRequired[Literal["now", "nextDay", "skip"]]
    """An extension of this implementation, with `localTime`: what happens to recipients whose local time has already passed at the start; default `now`"""
    fallback: NotRequired[str]
    """An extension of this implementation, with `localTime`: the time zone for recipients whose own is not known; default: the fallback of the windows, or UTC"""
    abDecideAt: NotRequired[str]
    """After the start, at most 365 days; default 4 hours after it. Ignored without `abSubjectB`"""
    decide: NotRequired[Literal["onTime", "afterResume"]]
    """An extension of this implementation: whether the winner of an A/B test is chosen at `abDecideAt` even if the campaign is paused then (`onTime`, the default), or once it is resumed. Ignored without `abSubjectB`"""
    throttlePerMinute: NotRequired[int]
    """Spaces the messages evenly"""
    rollout: NotRequired[Sequence[RolloutStep]]
    """An extension of this implementation: sends the campaign in 2 to 10 steps. It waits after each, and stops if too many messages bounced, were refused, reported as spam, or failed. Not with an A/B test, a schedule, `localTime`, or windows that skip recipients"""
    force: NotRequired[bool]
    """An extension of this implementation: launches the campaign although a check of its preflight has the level `block`"""
    forceReason: NotRequired[str]
    """An extension of this implementation, with `force`: the reason; stored in the audit"""


class StartedCampaign(TypedDict):
    """A campaign that was started or scheduled"""

    campaignId: str
    """The campaign"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    subject: str
    """The subject, which may have placeholders"""
    previewText: Optional[str]
    """What email clients show after the subject"""
    body: str
    """The text, as HTML where it is a message"""
    bodyBlocks: Optional[Union[str, Sequence[Any], Mapping[str, Any]]]
    """The visual editor's design: stored as given, never sent"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    fromEmail: str
    """The sender's address"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    variants: NotRequired[Mapping[str, CampaignVariant]]
    """An extension of this implementation: present if there are variants, by language (BCP 47)"""
    status: Literal["draft", "scheduled", "sending", "sent", "cancelled"]
    """The status"""
    heldReason: Optional[str]
    """Why a sending campaign is on hold. `provider_refuses`: recipients of one provider wait, others may get their message. `rollout_stopped`: the results of a step stopped the rollout; resume the campaign to continue"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    audience: Literal["all", "segment", "filter"]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    segmentId: Optional[str]
    """The segment; null where there is none"""
    filter: Optional[Mapping[str, Any]]
    """A condition tree that selects contacts; null if there is none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the campaign has a topic"""
    sendOnce: NotRequired[StoredSendOnce]
    """An extension of this implementation: present if the campaign has a send-once key"""
    abSubjectB: Optional[str]
    """Subject B of an A/B test; null if there is none"""
    abSamplePct: Optional[int]
    """Percent of the audience that gets A or B first"""
    abDecideAt: Optional[str]
    """When the winner is chosen; null if there is no A/B test"""
    abWinner: Optional[Literal["a", "b"]]
    """The winning variant; null until it is chosen"""
    throttlePerMinute: Optional[int]
    """The maximum number of messages per minute; null for no limit"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    totalRecipients: int
    """The size of the audience when it was frozen"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    unsubscribed: int
    """Unsubscribes"""
    createdAt: str
    """When it was created"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""
    machines: NotRequired[MachineOpens]
    """An extension of this implementation: present if machines opened messages. They are not in `opened` or `clicked`"""
    decide: NotRequired[Literal["afterResume"]]
    """Present if the winner is not chosen while the campaign is paused; an extension of this implementation"""
    paused: NotRequired[CampaignPause]
    """While it is paused; an extension of this implementation"""
    schedule: NotRequired[ShownSchedule]
    """Present if the campaign is recurring; an extension of this implementation"""
    evergreen: NotRequired[Literal[True]]
    """Present if each contact gets the campaign once, in any of its turns; an extension of this implementation"""
    feed: NotRequired[ShownFeed]
    """Present if the turns of the campaign send entries of a feed; an extension of this implementation"""
    nextTurnAt: NotRequired[Optional[str]]
    """Present once a recurring campaign is sent: the instant of its next turn; null if there is none; an extension of this implementation"""
    turns: NotRequired[int]
    """Present once a recurring campaign is sent: the number of turns so far, including skipped turns; an extension of this implementation"""
    turnOf: NotRequired[TurnOfSeries]
    """Present if the campaign is a turn of a recurring one; an extension of this implementation"""
    windows: NotRequired[ShownWindows]
    """An extension of this implementation: present if the campaign has windows of its own"""
    localTime: NotRequired[LocalTimeLaunch]
    """An extension of this implementation: present if it is launched at a local time"""
    rollout: NotRequired[Sequence[ShownRolloutStep]]
    """An extension of this implementation: present if the campaign is sent in steps"""
    contentVersion: NotRequired[int]
    """The version that is sent, from 2 on; present once the content was corrected; an extension of this implementation"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay"""


class ResendToNonOpenersRequest(TypedDict):
    """The body of `resendToNonOpeners`"""

    subject: NotRequired[str]
    """The subject, which may have placeholders"""
    scheduledFor: NotRequired[str]
    """When it is sent"""
    force: NotRequired[bool]
    """An extension of this implementation: launches the campaign although a check of its preflight has the level `block`"""
    forceReason: NotRequired[str]
    """An extension of this implementation, with `force`: the reason; stored in the audit"""


class TestSendCampaignRequest(TypedDict):
    """The body of `testSendCampaign`"""

    to: str
    """The recipient of the test"""
    language: NotRequired[Union[Literal["default", "all"], str]]
    """An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets"""
    abSubject: NotRequired[Literal["a", "b"]]
    """An extension of this implementation: the subject of an A/B test that the message has, in each language; default `a`"""


class CampaignRecipient(TypedDict):
    """A recipient of a campaign"""

    campaignRecipientId: str
    """The recipient"""
    campaignId: str
    """The campaign"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    email: str
    """The e-mail address"""
    emailId: Optional[str]
    """The e-mail; null where there is none"""
    status: Literal["pending", "sent", "skipped"]
    """The status"""
    skipReason: Optional[str]
    """Why the recipient was skipped; null for the others; an extension of this implementation"""
    skipDetail: NotRequired[SkipDetail]
    """Present if the recipient was not in the topic of the campaign, paused marketing mail, or had no open window; an extension of this implementation"""
    variant: Optional[Literal["a", "b", "hold"]]
    """The variant: `hold` waits for the winner; null without an A/B test"""
    contentVersion: Optional[int]
    """The content version of the message; null until there is a message; an extension of this implementation"""
    language: NotRequired[Optional[str]]
    """Present if the campaign has variants: the language of the message; null for the default, and until there is a message; an extension of this implementation"""
    createdAt: str
    """When it was created"""


class CampaignLink(TypedDict):
    """A link of a campaign, with its clicks"""

    url: str
    """The URL"""
    clicks: int
    """How often links were clicked, at most once a minute for each link"""
    uniqueClicks: int
    """How many recipients clicked it"""


class WorkflowGraph(TypedDict):
    """A stored graph"""

    nodes: Sequence[Mapping[str, Any]]
    """The nodes"""
    edges: Sequence[Mapping[str, Any]]
    """The edges"""


class Workflow(TypedDict):
    """An automation"""

    workflowId: str
    """The workflow"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    status: Literal["draft", "active", "paused"]
    """The status"""
    trigger: str
    """The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`"""
    graph: Optional[WorkflowGraph]
    """Nodes and edges; null for a workflow that has none yet"""
    reentry: Literal["never", "after_exit", "always"]
    """Whether a contact may enter again"""
    entered: int
    """How many entered"""
    completed: int
    """How many reached the end"""
    active: int
    """How many are in progress"""
    createdAt: str
    """When it was created"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""
    windows: NotRequired[ShownWindows]
    """When its marketing mail may go out; present if it has windows of its own; an extension of this implementation"""


class TriggerNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    filter: NotRequired[ConditionTree]


class TriggerNode(TypedDict):
    """A node of the type `trigger`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["trigger"]
    """The type"""
    config: TriggerNodeConfig
    """The configuration of the node, by type"""


class SendEmailNodeConfig(TypedDict):
    subject: str
    """The subject, which may have placeholders"""
    body: str
    """The text, as HTML where it is a message"""
    bodyBlocks: NotRequired[Union[str, Sequence[Any], Mapping[str, Any]]]
    """An extension of this implementation: the visual editor's design, never sent"""
    fromEmail: Union[str, Literal[""]]
    """The sender's address"""
    fromName: NotRequired[str]
    """The sender's name"""
    previewText: NotRequired[str]
    """What email clients show after the subject"""
    replyTo: NotRequired[str]
    """The Reply-To address"""
    variants: NotRequired[Optional[Mapping[str, ContentVariantInput]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none"""
    type: NotRequired[Literal["transactional", "marketing"]]
    """The type; default `"marketing"`"""
    variables: NotRequired[Mapping[str, Any]]
    """Values for placeholders; they win over contact fields of the same name"""
    topicId: NotRequired[str]
    """An extension of this implementation: the topic of the message, which is then `marketing`. Default: that of the template"""
    sendOnce: NotRequired[SendOnce]
    """An extension of this implementation: a contact who has, or is about to get, a message of the key is skipped as `limit_reached`"""


class SendEmailNodeConfig2(TypedDict):
    templateId: Union[str, Literal[""]]
    """The template"""
    variables: NotRequired[Mapping[str, Any]]
    """Values for placeholders; they win over contact fields of the same name"""
    topicId: NotRequired[str]
    """An extension of this implementation: the topic of the message, which is then `marketing`. Default: that of the template"""
    sendOnce: NotRequired[SendOnce]
    """An extension of this implementation: a contact who has, or is about to get, a message of the key is skipped as `limit_reached`"""


class SendEmailNode(TypedDict):
    """A node of the type `send_email`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["send_email"]
    """The type"""
    config: Union[SendEmailNodeConfig, SendEmailNodeConfig2]
    """The configuration of the node, by type"""


class DelayNodeConfig(TypedDict):
    amount: float
    """How many units"""
    unit: Literal["seconds", "minutes", "hours", "days", "weeks"]
    """The unit of time"""


class DelayNodeConfig2(TypedDict):
    until: str
    """The instant, with an offset"""


class DelayNodeConfig3(TypedDict):
    time: str
    """The time of day, HH:MM"""
    timezone: str
    """The time zone, as `Europe/Vienna`"""
    weekdays: NotRequired[Sequence[int]]
    """1 = Monday"""


class DelayNode(TypedDict):
    """A node of the type `delay`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["delay"]
    """The type"""
    config: Union[DelayNodeConfig, DelayNodeConfig2, DelayNodeConfig3]
    """The configuration of the node, by type"""


class DigestNodeConfigWindow(TypedDict):
    """How long it gathers, from the first event on"""

    amount: float
    """How many units"""
    unit: Literal["seconds", "minutes", "hours", "days", "weeks"]
    """The unit of time"""


class DigestNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    window: DigestNodeConfigWindow
    """How long it gathers, from the first event on"""
    key: NotRequired[str]
    """A path in the data of the event, like `event.thread`: events with different values there are gathered apart"""
    max: NotRequired[int]
    """Continues as soon as it has gathered this number of events; default `100`"""


class DigestNode(TypedDict):
    """A node of the type `digest`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["digest"]
    """The type"""
    config: DigestNodeConfig
    """The configuration of the node, by type"""


class WaitForEventNodeConfigTimeout(TypedDict):
    """The maximum time to wait"""

    amount: float
    """How many units"""
    unit: Literal["seconds", "minutes", "hours", "days", "weeks"]
    """The unit of time"""


class WaitForEventNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    event: Union[str, Literal[""]]
    """The name of the event"""
    filter: NotRequired[Mapping[str, Any]]
    """Values by paths of the event’s data. In the filter of an event email.<name>, `nodeId` is the `send_email` node whose message it is of"""
    timeout: NotRequired[WaitForEventNodeConfigTimeout]
    """The maximum time to wait"""


class WaitForEventNode(TypedDict):
    """A node of the type `wait_for_event`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["wait_for_event"]
    """The type"""
    config: WaitForEventNodeConfig
    """The configuration of the node, by type"""


class ConditionNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    conditions: ConditionTree


class ConditionNode(TypedDict):
    """A node of the type `condition`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["condition"]
    """The type"""
    config: ConditionNodeConfig
    """The configuration of the node, by type"""


class SwitchNodeConfigCasesItem(TypedDict):
    branch: str
    """The branch that was taken"""
    operator: str
    """How field and value are compared"""
    value: NotRequired[Any]
    """The value"""


class SwitchNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    field: str
    """The name of the field"""
    nodeId: NotRequired[str]
    """An extension of this implementation: narrows the field email.<status> to the message that this `send_email` node sent"""
    cases: Sequence[SwitchNodeConfigCasesItem]
    """The cases; the first that matches is taken"""


class SwitchNode(TypedDict):
    """A node of the type `switch`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["switch"]
    """The type"""
    config: SwitchNodeConfig
    """The configuration of the node, by type"""


class SplitNodeConfigBranchesItem(TypedDict):
    branch: str
    """The branch that was taken"""
    weight: float
    """The share of this branch, relative to the other weights"""


class SplitNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    branches: Sequence[SplitNodeConfigBranchesItem]
    """The branches with their weights"""


class SplitNode(TypedDict):
    """A node of the type `split`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["split"]
    """The type"""
    config: SplitNodeConfig
    """The configuration of the node, by type"""


class UpdateContactNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    firstName: NotRequired[Optional[str]]
    """First name; null where it is not known"""
    lastName: NotRequired[Optional[str]]
    """Last name; null where it is not known"""
    locale: NotRequired[Optional[str]]
    """Language and region (BCP 47), e.g. `de-AT`"""
    timezone: NotRequired[Optional[str]]
    """An extension of this implementation: the time zone of the person (IANA)"""
    data: NotRequired[Optional[Mapping[str, Any]]]
    """Custom fields, or the data of an event: any JSON object"""
    subscribed: NotRequired[bool]
    """Whether it is subscribed to marketing mail"""


class UpdateContactNode(TypedDict):
    """A node of the type `update_contact`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["update_contact"]
    """The type"""
    config: UpdateContactNodeConfig
    """The configuration of the node, by type"""


class AddToSegmentNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    segmentId: Union[str, Literal[""]]
    """The segment"""


class AddToSegmentNode(TypedDict):
    """A node of the type `add_to_segment`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["add_to_segment"]
    """The type"""
    config: AddToSegmentNodeConfig
    """The configuration of the node, by type"""


class RemoveFromSegmentNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    segmentId: Union[str, Literal[""]]
    """The segment"""


class RemoveFromSegmentNode(TypedDict):
    """A node of the type `remove_from_segment`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["remove_from_segment"]
    """The type"""
    config: RemoveFromSegmentNodeConfig
    """The configuration of the node, by type"""


class EmitEventNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    name: Union[str, Literal[""]]
    """Its name"""
    data: NotRequired[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""


class EmitEventNode(TypedDict):
    """A node of the type `emit_event`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["emit_event"]
    """The type"""
    config: EmitEventNodeConfig
    """The configuration of the node, by type"""


class WebhookNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    url: Union[str, Literal[""]]
    """The URL"""
    method: NotRequired[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]]
    """The method of the request; default `"POST"`"""
    headers: NotRequired[Mapping[str, str]]
    """Custom headers by name"""
    body: NotRequired[Any]
    """The text, as HTML where it is a message"""


class WebhookNode(TypedDict):
    """A node of the type `webhook`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["webhook"]
    """The type"""
    config: WebhookNodeConfig
    """The configuration of the node, by type"""


class ExitNodeConfig(TypedDict):
    """The configuration of the node, by type"""

    reason: NotRequired[str]
    """Why"""


class ExitNode(TypedDict):
    """A node of the type `exit`"""

    id: str
    """The id"""
    name: NotRequired[str]
    """Its name"""
    position: NotRequired[Any]
    """Kept as given"""
    type: Literal["exit"]
    """The type"""
    config: ExitNodeConfig
    """The configuration of the node, by type"""


WorkflowNode = Union["TriggerNode", "SendEmailNode", "DelayNode", "DigestNode", "WaitForEventNode", "ConditionNode", "SwitchNode", "SplitNode", "UpdateContactNode", "AddToSegmentNode", "RemoveFromSegmentNode", "EmitEventNode", "WebhookNode", "ExitNode"]
"""A node of a graph"""


WorkflowEdge = TypedDict(
    "WorkflowEdge",
    {
        # The id
        "id": "NotRequired[str]",
        # The node at which it starts
        "from": "str",
        # The node that it leads to
        "to": "str",
        # The branch that was taken
        "branch": "NotRequired[str]",
    },
)
"""`branch` names the outcome of `from` that the edge takes"""


class CreateWorkflowRequestGraph(TypedDict):
    nodes: Sequence[WorkflowNode]
    """The nodes"""
    edges: Sequence[WorkflowEdge]
    """The edges"""


class CreateWorkflowRequest(TypedDict):
    """The body of `createWorkflow`"""

    name: str
    """Its name"""
    trigger: str
    """The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`"""
    graph: NotRequired[Optional[CreateWorkflowRequestGraph]]
    """Nodes and edges; null for a workflow that has none yet"""
    reentry: NotRequired[Literal["never", "after_exit", "always"]]
    """Whether a contact may enter again; default `"never"`"""
    windows: NotRequired[Optional[SendWindows]]
    """An extension of this implementation: when its marketing mail may go out; null for the project's windows. They hold for executions that run, too"""


class ExecutionStep(TypedDict):
    """The run of one node"""

    nodeId: str
    """The node of the graph"""
    type: str
    """The type"""
    status: Literal["running", "waiting", "completed", "skipped", "failed"]
    """The status"""
    branch: Optional[str]
    """The branch that was taken; null if the node has only one"""
    output: Optional[Mapping[str, Any]]
    """The output of the step; null if it has none"""
    error: Optional[str]
    """The error message; null if there was none"""
    startedAt: str
    """When it began"""
    finishedAt: Optional[str]
    """When it ended; null before that"""


class DigestItem(TypedDict):
    """An event that a digest has gathered"""

    eventId: Optional[str]
    """The event; null where there is none"""
    name: str
    """Its name"""
    data: Mapping[str, Any]
    """Custom fields, or the data of an event: any JSON object"""
    at: str
    """The beginning of the hour, day or month, or the instant"""


class WaitingFor(TypedDict):
    """The wait of an execution"""

    kind: Literal["delay", "time", "event", "paused", "disabled"]
    """`delay`: a date and time, `waitingUntil`; `time`: a time of day, next reached at `waitingUntil`; `event`: an event of the contact, until `waitingUntil`; `paused`: until its workflow is active again; `disabled`: until its project is enabled again"""
    nodeId: Optional[str]
    """The node that is waiting or on hold; null before the first node"""
    event: Optional[str]
    """The name of the event; null for other kinds"""


class ExecutionDetailTemporal(TypedDict):
    """The workflow in Temporal"""

    workflowId: str
    """The workflow"""
    runId: Optional[str]
    """The id of Temporal's run; null until it began"""


class ExecutionDetail(TypedDict):
    """An execution with its steps"""

    executionId: str
    """The execution"""
    workflowId: str
    """The workflow"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    email: Optional[str]
    """The e-mail address"""
    status: Literal["running", "waiting", "completed", "exited", "failed", "cancelled"]
    """The status"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    currentNodeId: Optional[str]
    """Where it is; null when it is over"""
    eventId: Optional[str]
    """The event; null where there is none"""
    exitReason: Optional[str]
    """Why it ended early; null where it did not"""
    error: Optional[str]
    """The error message; null if there was none"""
    startedAt: str
    """When it began"""
    finishedAt: Optional[str]
    """When it ended; null before that"""
    temporal: ExecutionDetailTemporal
    """The workflow in Temporal"""
    steps: Sequence[ExecutionStep]
    """The steps, node by node"""
    items: NotRequired[Sequence[DigestItem]]
    """The events that its digest has gathered; absent without one; an extension of this implementation"""
    graph: WorkflowGraph
    """The graph that it started with and follows to its end; an extension of this implementation"""
    waitingUntil: Optional[str]
    """When it continues at the latest; null if it is not waiting, or the end is unknown; an extension of this implementation"""
    waitingFor: Optional[WaitingFor]
    """The cause of the wait; null if it is not waiting; an extension of this implementation"""


class UpdateWorkflowRequestGraph(TypedDict):
    nodes: Sequence[WorkflowNode]
    """The nodes"""
    edges: Sequence[WorkflowEdge]
    """The edges"""


class UpdateWorkflowRequest(TypedDict):
    """The body of `updateWorkflow`"""

    name: NotRequired[str]
    """Its name"""
    trigger: NotRequired[str]
    """The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`"""
    graph: NotRequired[Optional[UpdateWorkflowRequestGraph]]
    """Nodes and edges; null for a workflow that has none yet"""
    reentry: NotRequired[Literal["never", "after_exit", "always"]]
    """Whether a contact may enter again"""
    status: NotRequired[Literal["active", "paused"]]
    """The status"""
    windows: NotRequired[Optional[SendWindows]]
    """An extension of this implementation: when its marketing mail may go out; null for the project's windows. They hold for executions that run, too"""


class EnrollContactRequest(TypedDict):
    """The body of `enrollContact`"""

    contactId: NotRequired[str]
    """An opaque id"""
    email: NotRequired[str]
    """The e-mail address"""
    data: NotRequired[Mapping[str, Any]]
    """The data of the trigger event"""


class EnrolledExecutionTemporal(TypedDict):
    """The workflow in Temporal"""

    workflowId: str
    """The workflow"""
    runId: Optional[str]
    """The id of Temporal's run; null until it began"""


class EnrolledExecution(TypedDict):
    """An execution that was started manually"""

    executionId: str
    """The execution"""
    workflowId: str
    """The workflow"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    email: Optional[str]
    """The e-mail address"""
    status: Literal["running", "waiting", "completed", "exited", "failed", "cancelled"]
    """The status"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    currentNodeId: Optional[str]
    """Where it is; null when it is over"""
    eventId: Optional[str]
    """The event; null where there is none"""
    exitReason: Optional[str]
    """Why it ended early; null where it did not"""
    error: Optional[str]
    """The error message; null if there was none"""
    startedAt: str
    """When it began"""
    finishedAt: Optional[str]
    """When it ended; null before that"""
    temporal: EnrolledExecutionTemporal
    """The workflow in Temporal"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay"""


class ExecutionTemporal(TypedDict):
    """The workflow in Temporal"""

    workflowId: str
    """The workflow"""
    runId: Optional[str]
    """The id of Temporal's run; null until it began"""


class Execution(TypedDict):
    """The run of one contact through a workflow"""

    executionId: str
    """The execution"""
    workflowId: str
    """The workflow"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    email: Optional[str]
    """The address of the contact; null once it was deleted"""
    status: Literal["running", "waiting", "completed", "exited", "failed", "cancelled"]
    """The status"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    currentNodeId: Optional[str]
    """Where it is; null when it is over"""
    eventId: Optional[str]
    """The event; null where there is none"""
    exitReason: Optional[str]
    """Why it ended early; null where it did not"""
    error: Optional[str]
    """The error message; null if there was none"""
    startedAt: str
    """When it began"""
    finishedAt: Optional[str]
    """When it ended; null before that"""
    temporal: ExecutionTemporal
    """The workflow in Temporal"""


class CancelledExecutions(TypedDict):
    """How many executions were cancelled"""

    cancelled: int
    """How many were cancelled"""


class Webhook(TypedDict):
    """A webhook endpoint"""

    webhookId: str
    """The webhook endpoint"""
    projectId: str
    """The project that it belongs to"""
    url: str
    """The URL"""
    events: Sequence[str]
    """The names that it listens to, prefixes such as `email.*`, or `*`"""
    description: Optional[str]
    """A note for your own use"""
    tag: NotRequired[str]
    """An extension of this implementation: only events of mail with this tag, as `name:value`"""
    format: NotRequired[Literal["resend"]]
    """An extension of this implementation: present if bodies have the form of another service"""
    enabled: bool
    """Whether it is enabled"""
    disabledReason: Optional[Literal["failing", "gone"]]
    """Why it was disabled automatically; null if it was not"""
    sequence: NotRequired[int]
    """An extension of this implementation: the number of its last event; absent before its first"""
    secret: NotRequired[str]
    """Returned only at registration and after a rotation"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""


class CreateWebhookRequest(TypedDict):
    """The body of `createWebhook`"""

    url: str
    """The URL"""
    events: Sequence[str]
    """Names, prefixes such as `email.*`, or `*`"""
    description: NotRequired[Optional[str]]
    """A note for your own use"""
    tag: NotRequired[Optional[str]]
    """An extension of this implementation: only events of mail with this tag, as `name:value`"""
    format: NotRequired[Literal["resend"]]
    """An extension of this implementation: `resend` delivers bodies in the form of Resend's webhooks; it never changes"""
    enabled: NotRequired[bool]
    """Whether it is enabled; default `true`"""


class RegisteredWebhook(TypedDict):
    """A webhook endpoint with its secret"""

    webhookId: str
    """The webhook endpoint"""
    projectId: str
    """The project that it belongs to"""
    url: str
    """The URL"""
    events: Sequence[str]
    """The names that it listens to, prefixes such as `email.*`, or `*`"""
    description: Optional[str]
    """A note for your own use"""
    tag: NotRequired[str]
    """An extension of this implementation: only events of mail with this tag, as `name:value`"""
    format: NotRequired[Literal["resend"]]
    """An extension of this implementation: present if bodies have the form of another service"""
    enabled: bool
    """Whether it is enabled"""
    disabledReason: Optional[Literal["failing", "gone"]]
    """Why it was disabled automatically; null if it was not"""
    sequence: NotRequired[int]
    """An extension of this implementation: the number of its last event; absent before its first"""
    secret: str
    """Store it: it is returned only here"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""


class UpdateWebhookRequest(TypedDict):
    """The body of `updateWebhook`"""

    url: NotRequired[str]
    """The URL"""
    events: NotRequired[Sequence[str]]
    """Names, prefixes such as `email.*`, or `*`"""
    description: NotRequired[Optional[str]]
    """A note for your own use"""
    tag: NotRequired[Optional[str]]
    """An extension of this implementation: only events of mail with this tag, as `name:value`"""
    enabled: NotRequired[bool]
    """false stops deliveries and keeps the log"""
    rotateSecret: NotRequired[Literal[True]]
    """For 24 hours, both secrets sign"""


class Delivery(TypedDict):
    """The delivery of one event to one endpoint"""

    deliveryId: str
    """The delivery"""
    webhookId: str
    """The webhook endpoint"""
    eventId: str
    """The event"""
    eventName: str
    """The name of the event"""
    sequence: int
    """An extension of this implementation: the number of the event at this endpoint"""
    status: Literal["pending", "succeeded", "failed"]
    """The status"""
    attempts: int
    """The number of attempts"""
    responseStatus: Optional[int]
    """The HTTP status of your server; null if it did not answer"""
    responseBody: Optional[str]
    """Its first 1,024 bytes"""
    error: Optional[str]
    """The error message; null if there was none"""
    latencyMs: Optional[float]
    """Milliseconds until the last answer; without an answer, until the attempt was given up"""
    nextAttemptAt: Optional[str]
    """When the next attempt happens; null if there is none"""
    replayOf: Optional[str]
    """The delivery that this one replays; null if it is not a replay"""
    createdAt: str
    """When it was created"""
    completedAt: Optional[str]
    """When it succeeded or failed for good; null until then"""


class Suppression(TypedDict):
    """`unsubscribe` blocks marketing mail only, every other reason all mail"""

    suppressionId: str
    """The suppression"""
    projectId: str
    """The project that it belongs to"""
    email: str
    """The e-mail address"""
    reason: Literal["hard_bounce", "complaint", "unsubscribe", "manual"]
    """Why: `unsubscribe` stops marketing mail, every other reason all mail"""
    source: Literal["smtp", "dsn", "arf", "link", "one_click", "mailto", "api", "import", "provider"]
    """How the suppression was created"""
    note: NotRequired[str]
    """An extension of this implementation: a note for your own use, if one was written"""
    createdAt: str
    """When it was created"""


class CreateSuppressionRequest(TypedDict):
    """The body of `createSuppression`"""

    email: str
    """The e-mail address"""
    reason: NotRequired[Literal["hard_bounce", "complaint", "unsubscribe", "manual"]]
    """Why: `unsubscribe` stops marketing mail, every other reason all mail; default `"manual"`"""
    note: NotRequired[str]
    """An extension of this implementation: a note for your own use"""


class SuppressionState(TypedDict):
    """Whether an address is suppressed, and why"""

    suppressed: bool
    """Whether an address is suppressed, or how many are"""
    suppression: Optional[Suppression]
    """The record; null where the address is not suppressed"""


class Counts(TypedDict):
    """opened and clicked are unique per e-mail"""

    sent: int
    """Messages that were sent"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    failed: int
    """How many failed"""
    unsubscribed: int
    """Unsubscribes"""
    received: int
    """Received messages"""


class StatsRates(TypedDict):
    """Shares of sent or delivered messages, from 0 to 1"""

    delivery: Optional[float]
    """Delivered of sent"""
    open: Optional[float]
    """Opened of delivered"""
    click: Optional[float]
    """Clicked of delivered"""
    bounce: Optional[float]
    """Bounced of sent"""
    complaint: Optional[float]
    """Complained of delivered"""
    unsubscribe: Optional[float]
    """Unsubscribed of delivered"""


class StatsBySource(TypedDict):
    """The counts by kind of sending"""

    transactional: Counts
    campaign: Counts
    workflow: Counts


class StatsSeriesItem(TypedDict):
    at: str
    """The beginning of the hour, day or month, or the instant"""
    sent: int
    """Messages that were sent"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    failed: int
    """How many failed"""
    unsubscribed: int
    """Unsubscribes"""
    received: int
    """Received messages"""


class StatsContacts(TypedDict):
    """Contacts by state, or how many have the field"""

    total: int
    """The total count"""
    subscribed: int
    """How many are subscribed to marketing mail"""
    unsubscribed: int
    """Unsubscribes"""
    suppressed: int
    """Whether an address is suppressed, or how many are"""


Stats = TypedDict(
    "Stats",
    {
        # The beginning, inclusive
        "from": "str",
        # The end, exclusive
        "to": "str",
        # The length of a bucket
        "interval": "Literal['hour', 'day', 'month']",
        "totals": "Counts",
        # Shares of sent or delivered messages, from 0 to 1
        "rates": "StatsRates",
        # The counts by kind of sending
        "bySource": "StatsBySource",
        # One entry for each bucket, empty ones included
        "series": "Sequence[StatsSeriesItem]",
        # Contacts by state, or how many have the field
        "contacts": "StatsContacts",
    },
)
"""Counts and rates of a span of time"""


class WorkflowStatsNodesItem(TypedDict):
    nodeId: str
    """The node of the graph"""
    type: str
    """The type"""
    entered: int
    """How many entered"""
    completed: int
    """How many reached the end"""
    waiting: int
    """How many are waiting here"""
    skipped: int
    """How many were skipped"""
    failed: int
    """How many failed"""
    emails: Optional[Counts]
    """The counts of the messages that this node sent; null where it sends none"""


class WorkflowStats(TypedDict):
    """The funnel of a workflow"""

    workflowId: str
    """The workflow"""
    entered: int
    """How many entered"""
    active: int
    """How many are in progress"""
    completed: int
    """How many reached the end"""
    exited: int
    """Number of executions that ended at an exit"""
    cancelled: int
    """How many were cancelled"""
    failed: int
    """How many failed"""
    nodes: Sequence[WorkflowStatsNodesItem]
    """The nodes"""


class VerifyAddressRequest(TypedDict):
    """The body of `verifyAddress`"""

    email: str
    """The e-mail address"""


class AddressVerdictChecks(TypedDict):
    """The checks"""

    syntax: bool
    """Whether the syntax is valid"""
    mx: bool
    """Whether its domain accepts mail"""
    disposable: bool
    """Whether its domain offers disposable addresses"""
    role: bool
    """Whether it is a role address, such as `info@`"""
    freeProvider: bool
    """Whether its domain is a public mail provider"""
    suppressed: bool
    """Whether it is suppressed here"""
    nullMx: bool
    """Whether its domain declares that it accepts no mail (RFC 7505)"""


class AddressVerdict(TypedDict):
    """Values that DNS did not answer are false; `result` is then `unknown`"""

    email: str
    """The address as given"""
    result: Literal["deliverable", "risky", "undeliverable", "unknown"]
    """The verdict"""
    reason: Literal["invalid_syntax", "null_mx", "no_mail_server", "dns_unavailable", "suppressed", "disposable", "role", "accepts_mail"]
    """The reason for the verdict"""
    suggestion: Optional[str]
    """The address that was probably meant"""
    checks: AddressVerdictChecks
    """The checks"""


class ReputationWindow(TypedDict):
    """Bounces and complaints of a span of time"""

    sent: int
    """Messages that were sent"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    bounceRate: float
    """Bounced of sent"""
    complaintRate: float
    """Complained of sent"""
    state: Literal["ok", "warn", "throttled", "paused"]
    """The consequence: `throttled` sends more slowly, `paused` sends nothing"""


class BillingCategoriesTransactional(TypedDict):
    """Single messages"""

    limit: Optional[int]
    """The monthly cap; null for none"""
    used: int
    """How many this month"""


class BillingCategoriesCampaign(TypedDict):
    """Messages of campaigns"""

    limit: Optional[int]
    """The monthly cap; null for none"""
    used: int
    """How many this month"""


class BillingCategoriesWorkflow(TypedDict):
    """Messages of workflows"""

    limit: Optional[int]
    """The monthly cap; null for none"""
    used: int
    """How many this month"""


class BillingCategoriesInbound(TypedDict):
    """Received messages"""

    limit: Optional[int]
    """The monthly cap; null for none"""
    used: int
    """How many this month"""


class BillingCategories(TypedDict):
    """Usage and cap of each kind of mail"""

    transactional: BillingCategoriesTransactional
    """Single messages"""
    campaign: BillingCategoriesCampaign
    """Messages of campaigns"""
    workflow: BillingCategoriesWorkflow
    """Messages of workflows"""
    inbound: BillingCategoriesInbound
    """Received messages"""


class BillingPlanQuotas(TypedDict):
    """The credits of each plan"""

    free: int
    """Price of the free plan"""
    starter: int
    """Of the plan `starter`"""
    growth: int
    """Of the plan `growth`"""


BillingReputationWindows = TypedDict(
    "BillingReputationWindows",
    {
        "24h": "ReputationWindow",
        "7d": "ReputationWindow",
        "all": "ReputationWindow",
    },
)
"""Each time span separately"""


class BillingReputation(TypedDict):
    """Bounces and complaints, and what follows from them"""

    state: Literal["ok", "warn", "throttled", "paused"]
    """The consequence: `throttled` sends more slowly, `paused` sends nothing"""
    window: Literal["24h", "7d", "all"]
    """The time span that determined the state"""
    bounceRate: float
    """Bounced of sent"""
    complaintRate: float
    """Complained of sent"""
    volume: int
    """The number of messages it is based on"""
    floor: int
    """Below this number of messages, the state does not change"""
    windows: BillingReputationWindows
    """Each time span separately"""


class BillingPayments(TypedDict):
    """The payment provider behind paid plans; off on self-hosted installs"""

    enabled: bool
    """Whether it is enabled"""
    env: Literal["test_mode", "live_mode"]
    """The environment of the payment provider: test or live"""


class BillingPaymentsSubscription(TypedDict):
    """The newest active subscription, or else the newest ended one; members are null if there was none"""

    id: Optional[str]
    """The id"""
    status: Optional[Literal["active", "ended"]]
    """The status"""
    plan: Optional[Literal["starter", "growth"]]
    """The plan"""
    cancelAtNextBillingDate: bool
    """Whether it ends with the period"""
    nextBillingAt: Optional[str]
    """The end of the paid period"""


class Billing(TypedDict):
    """Usage, caps, plan and reputation"""

    month: str
    """YYYY-MM"""
    used: int
    """Live e-mails sent this month"""
    limit: Optional[int]
    """Overall monthly cap; null = unlimited"""
    categories: BillingCategories
    """Usage and cap of each kind of mail"""
    plan: Literal["free", "starter", "growth"]
    """The plan"""
    emailQuota: int
    """Credits per month of the plan"""
    freeTierCredits: int
    """Credits that are free each month"""
    creditsUsed: int
    """1 credit per e-mail, 2 with attachments"""
    planQuotas: BillingPlanQuotas
    """The credits of each plan"""
    reputation: BillingReputation
    """Bounces and complaints, and what follows from them"""
    reputationState: Literal["ok", "warn", "throttled", "paused"]
    """The same as `reputation.state`"""
    reputationReason: Optional[str]
    """Why; null if the state is `ok`"""
    payments: BillingPayments
    """The payment provider behind paid plans; off on self-hosted installs"""
    paymentsSubscription: BillingPaymentsSubscription
    """The newest active subscription, or else the newest ended one; members are null if there was none"""


class UpdateBillingRequest(TypedDict):
    """The body of `updateBilling`"""

    monthlyLimit: NotRequired[Optional[int]]
    """null removes the cap"""
    monthlyLimitTransactional: NotRequired[Optional[int]]
    """The monthly cap of single messages; null removes it"""
    monthlyLimitCampaign: NotRequired[Optional[int]]
    """The monthly cap of campaigns; null removes it"""
    monthlyLimitWorkflow: NotRequired[Optional[int]]
    """The monthly cap of workflows; null removes it"""
    monthlyLimitInbound: NotRequired[Optional[int]]
    """The monthly cap of inbound mail; null removes it"""
    plan: NotRequired[Literal["free"]]
    """Downgrades at the end of the paid period; for paid plans use POST /api/payments/checkout"""


class Nothing(TypedDict):
    """An empty object"""



ReceiveMessageRequest = TypedDict(
    "ReceiveMessageRequest",
    {
        # The sender's address
        "from": "str",
        # The local part keeps its case
        "to": "str",
        # The sender's name
        "fromName": "NotRequired[str]",
        # The subject, which may have placeholders
        "subject": "NotRequired[str]",
        # HTML
        "html": "NotRequired[str]",
        # Plain text
        "text": "NotRequired[str]",
    },
)
"""The body of `receiveMessage`"""


class ReceivedMessage(TypedDict):
    """A received message, as accepted"""

    emailId: str
    """The e-mail"""


class ReceivedAttachment(TypedDict):
    """A file attached to a received message"""

    attachmentId: str
    """For getInboundAttachment"""
    filename: str
    """Without any path"""
    contentType: str
    """As given by the sender"""
    size: int
    """Bytes after decoding"""
    kept: bool
    """Whether its bytes are stored"""


class InboundMessageAuthentication(TypedDict):
    spf: Literal["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]
    """Whether the sending host is allowed to send for the envelope sender (RFC 7208)"""
    spfDomain: Optional[str]
    """The domain that was checked"""
    dkim: Literal["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]
    """`pass` if one signature of the whole message is valid (RFC 6376)"""
    dkimDomains: Sequence[str]
    """The domains with valid signatures"""
    dmarc: Literal["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]
    """`pass` if SPF or DKIM passes for the domain of `fromEmail` (RFC 7489)"""
    dmarcPolicy: Optional[Literal["none", "quarantine", "reject"]]
    """The policy of that domain for mail that fails"""


class InboundMessage(TypedDict):
    """A received message"""

    emailId: str
    """Read the body with GET /v1/emails/{id}"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    to: str
    """The address that received it"""
    subject: str
    """The subject, which may have placeholders"""
    fromEmail: str
    """The sender's address"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    status: Literal["received"]
    """The status"""
    createdAt: str
    """When it was created"""
    messageId: str
    """The Message-ID of the message, or a generated one; an extension of this implementation"""
    replyTo: Optional[str]
    """The Reply-To address, if the message has one; an extension of this implementation"""
    inReplyTo: Optional[str]
    """The Message-ID that it replies to; an extension of this implementation"""
    references: Sequence[str]
    """Message-IDs of the previous conversation, oldest first, the last 50; an extension of this implementation"""
    authentication: Optional[InboundMessageAuthentication]
    """The authentication results of the sender; null for messages accepted by the API; an extension of this implementation"""
    attachments: Sequence[ReceivedAttachment]
    """What was attached; an extension of this implementation"""


class HealthChecks(TypedDict):
    """The checks"""

    mongodb: Literal["up", "down"]
    """Whether MongoDB answers"""
    temporal: Literal["up", "down"]
    """Whether Temporal answers"""


class Health(TypedDict):
    """The dependencies of the service, and whether they are available"""

    status: Literal["ok"]
    """The status"""
    version: str
    """The version of the service"""
    release: NotRequired[str]
    """Extension: the version with its build, if RELEASE_COMMIT is set"""
    checks: HealthChecks
    """The checks"""
    details: NotRequired[Sequence[str]]
    """Extension: parts that are stalled although both are up, with the reason, in a sentence each; absent while none is"""


class CampaignToApprove(TypedDict):
    """The campaign to send, and when and how"""

    scheduledFor: NotRequired[str]
    """When it starts. With `localTime`, the date and time in each recipient’s time zone: an offset is optional and ignored"""
    localTime: NotRequired[bool]
    """An extension of this implementation: each recipient gets it when their own clock shows `scheduledFor`"""
    passed: NotRequired[Literal["now", "nextDay", "skip"]]
    """An extension of this implementation, with `localTime`: what happens to recipients whose local time has already passed at the start; default `now`"""
    fallback: NotRequired[str]
    """An extension of this implementation, with `localTime`: the time zone for recipients whose own is not known; default: the fallback of the windows, or UTC"""
    abDecideAt: NotRequired[str]
    """After the start, at most 365 days; default 4 hours after it. Ignored without `abSubjectB`"""
    decide: NotRequired[Literal["onTime", "afterResume"]]
    """An extension of this implementation: whether the winner of an A/B test is chosen at `abDecideAt` even if the campaign is paused then (`onTime`, the default), or once it is resumed. Ignored without `abSubjectB`"""
    throttlePerMinute: NotRequired[int]
    """Spaces the messages evenly"""
    rollout: NotRequired[Sequence[RolloutStep]]
    """An extension of this implementation: sends the campaign in 2 to 10 steps. It waits after each, and stops if too many messages bounced, were refused, reported as spam, or failed. Not with an A/B test, a schedule, `localTime`, or windows that skip recipients"""
    force: NotRequired[bool]
    """An extension of this implementation: launches the campaign although a check of its preflight has the level `block`"""
    forceReason: NotRequired[str]
    """An extension of this implementation, with `force`: the reason; stored in the audit"""
    id: str
    """The campaign"""


class WorkflowToApprove(TypedDict):
    """The workflow to activate"""

    id: str
    """The workflow"""
    status: Literal["active"]
    """The status"""


class BatchToApprove(TypedDict):
    """Messages to send, all of them or none"""

    messages: Sequence[Message]
    """The messages; each succeeds or fails separately"""


class SuppressionToApprove(TypedDict):
    """The suppression to remove, by its id or address"""

    id: str
    """The id of the suppression, or the address"""


class ImportToApprove(TypedDict):
    """Contacts to import"""

    file: str
    """The CSV file itself: a header line, and at most 10,000 rows"""
    segmentId: NotRequired[str]
    """A static segment that the imported contacts are added to"""
    columns: NotRequired[str]
    """An extension of this implementation: the target of each column, in order, instead of the headers, separated by commas; `-` skips a column"""
    trigger: NotRequired[bool]
    """Whether contact events of the import can enroll contacts in workflows; default `false`"""


class CreateApprovalRequest(TypedDict):
    """The body of `createApproval`"""

    operation: Literal["sendCampaign", "resumeCampaign", "updateWorkflow", "sendBatch", "deleteSuppression", "importContacts"]
    """The operation that is to be carried out"""
    parameters: Union[CampaignToApprove, WorkflowToApprove, BatchToApprove, SuppressionToApprove, ImportToApprove]
    """The path parameters of the operation and the members of its body, side by side"""
    reason: NotRequired[str]
    """Why; the person who decides reads it"""


class ApprovalSummary(TypedDict):
    """The text that a person reads before deciding"""

    text: str
    """A sentence that says what will happen"""
    subject: Optional[str]
    """The subject of the mail; of a batch, that of the first message"""
    recipients: Optional[int]
    """How many contacts it would reach when it was requested; null if it cannot be counted"""
    first: Sequence[str]
    """The first addresses that it names, if it names some; empty once it is over"""
    excerpt: Optional[str]
    """The beginning of the first message of a batch, as text; null once it is over"""


class ApprovalResult(TypedDict):
    """How it ended"""

    code: Optional[str]
    """The error code; `changed` if the approval is void; null if it was carried out"""
    message: str
    """The error message"""


class RequestedApproval(TypedDict):
    """An approval that was requested"""

    approvalId: str
    """The id of the approval"""
    state: Literal["pending", "approved", "rejected", "expired", "executed", "failed", "void"]
    """`approved`: not carried out yet; `failed`: the operation refused it; `void`: what it was for has changed meanwhile"""
    operation: Literal["sendCampaign", "resumeCampaign", "updateWorkflow", "sendBatch", "deleteSuppression", "importContacts"]
    """The operation that is carried out once it is approved"""
    parameters: Mapping[str, Any]
    """As they were given, without messages and addresses"""
    summary: ApprovalSummary
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    requestedBy: str
    """The key, as the audit names it"""
    reason: Optional[str]
    """Why"""
    link: str
    """Its page in the console, which needs a sign-in"""
    createdAt: str
    """When it was created"""
    expiresAt: str
    """When it expires without a decision"""
    decidedAt: Optional[str]
    """When it was approved or rejected"""
    decidedBy: Optional[str]
    """The key or the session, as the audit names it; `link` for a decision by a link"""
    decisionReason: Optional[str]
    """The reason that was given with the decision"""
    result: Optional[ApprovalResult]
    """Null until it was carried out, failed or found void"""
    replay: NotRequired[Literal[True]]
    """Only on an idempotent replay"""


class Approval(TypedDict):
    """An operation that a person has to approve"""

    approvalId: str
    """The id of the approval"""
    state: Literal["pending", "approved", "rejected", "expired", "executed", "failed", "void"]
    """`approved`: not carried out yet; `failed`: the operation refused it; `void`: what it was for has changed meanwhile"""
    operation: Literal["sendCampaign", "resumeCampaign", "updateWorkflow", "sendBatch", "deleteSuppression", "importContacts"]
    """The operation that is carried out once it is approved"""
    parameters: Mapping[str, Any]
    """As they were given, without messages and addresses"""
    summary: ApprovalSummary
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    requestedBy: str
    """The key, as the audit names it"""
    reason: Optional[str]
    """Why"""
    link: str
    """Its page in the console, which needs a sign-in"""
    createdAt: str
    """When it was created"""
    expiresAt: str
    """When it expires without a decision"""
    decidedAt: Optional[str]
    """When it was approved or rejected"""
    decidedBy: Optional[str]
    """The key or the session, as the audit names it; `link` for a decision by a link"""
    decisionReason: Optional[str]
    """The reason that was given with the decision"""
    result: Optional[ApprovalResult]
    """Null until it was carried out, failed or found void"""


class ApproveApprovalRequest(TypedDict):
    """The body of `approveApproval`"""

    reason: NotRequired[str]
    """The reason; stored with the approval"""


class RejectApprovalRequest(TypedDict):
    """The body of `rejectApproval`"""

    reason: NotRequired[str]
    """The reason; stored with the approval"""


class ApprovalLink(TypedDict):
    """A link by which one person decides"""

    url: str
    """The page on which one person decides, once and without a sign-in"""
    expiresAt: str
    """When the approval expires, and the link with it"""


class AuditEntry(TypedDict):
    """A change: who made it, when, and to what; never values"""

    entryId: str
    """The id of the entry"""
    at: str
    """When it was changed"""
    by: str
    """Who changed it: `key` and the first characters of the key, `person` and the id of the member, `console` and the beginning of a session, `approval` and its id, `operator` and a name on the server, or `link`"""
    action: str
    """The kind of object and what was done, as `webhook.update`"""
    subject: Optional[str]
    """The id of the object; of a key, its first characters; null if a project has only one"""
    reason: Optional[str]
    """The reason that the author gave, where an operation accepts one"""


class CheckWorkflowRequestGraph(TypedDict):
    """Nodes and edges"""

    nodes: Sequence[WorkflowNode]
    """The nodes"""
    edges: Sequence[WorkflowEdge]
    """The edges"""


class CheckWorkflowRequest(TypedDict):
    """The body of `checkWorkflow`"""

    graph: CheckWorkflowRequestGraph
    """Nodes and edges"""


class GraphFaultsFaultsItem(TypedDict):
    path: str
    """The path of the error"""
    code: str
    """The kind of error"""
    message: str
    """A sentence that describes the problem"""


class GraphFaultsWarningsItem(TypedDict):
    path: str
    """The path of the error"""
    message: str
    """A sentence that describes the problem"""


class GraphFaults(TypedDict):
    """The errors of a graph; empty if it can run"""

    faults: Sequence[GraphFaultsFaultsItem]
    """Each error with its path in the graph, such as `graph.nodes.3.config.templateId`"""
    warnings: Sequence[GraphFaultsWarningsItem]
    """What does not stop an activation, and should be known"""


class RehearseWorkflowRequestContact(TypedDict):
    """A hypothetical contact"""

    email: NotRequired[str]
    """The e-mail address"""
    firstName: NotRequired[Optional[str]]
    """First name; null where it is not known"""
    lastName: NotRequired[Optional[str]]
    """Last name; null where it is not known"""
    locale: NotRequired[Optional[str]]
    """Language and region (BCP 47), e.g. `de-AT`"""
    timezone: NotRequired[Optional[str]]
    """An extension of this implementation: the time zone of the person (IANA)"""
    subscribed: NotRequired[bool]
    """Whether it is subscribed to marketing mail"""
    data: NotRequired[Optional[Mapping[str, Any]]]
    """Custom fields, or the data of an event: any JSON object"""


class RehearseWorkflowRequestEventsItem(TypedDict):
    name: str
    """Its name"""
    data: NotRequired[Mapping[str, Any]]
    """Custom fields, or the data of an event: any JSON object"""
    after: str
    """How long after `start` it happens (ISO 8601)"""


class RehearseWorkflowRequestWebhooksValue(TypedDict):
    status: int
    """The status"""
    body: NotRequired[str]
    """The text, as HTML where it is a message"""


class RehearseWorkflowRequest(TypedDict):
    """The body of `rehearseWorkflow`"""

    contactId: NotRequired[str]
    """An opaque id"""
    contact: NotRequired[RehearseWorkflowRequestContact]
    """A hypothetical contact"""
    data: NotRequired[Mapping[str, Any]]
    """The data of the trigger event"""
    events: NotRequired[Sequence[RehearseWorkflowRequestEventsItem]]
    """Events that happen during the rehearsal"""
    start: NotRequired[str]
    """When the rehearsal begins; default now"""
    until: NotRequired[str]
    """When the rehearsal ends"""
    webhooks: NotRequired[Mapping[str, RehearseWorkflowRequestWebhooksValue]]
    """The HTTP status of webhook nodes, by node; others answer 200"""


class RehearsalPathItem(TypedDict):
    nodeId: str
    """The node"""
    type: str
    """The type"""
    at: str
    """The beginning of the hour, day or month, or the instant"""
    branch: Optional[str]
    """The branch that was taken; null if the node has only one"""
    output: Optional[Mapping[str, Any]]
    """The output of the step; null if it has none"""
    error: Optional[str]
    """Why the node failed; null where it did not"""


class RehearsalEmailsItem(TypedDict):
    nodeId: str
    """The node"""
    at: str
    """The beginning of the hour, day or month, or the instant"""
    waitsFor: NotRequired[Literal["window", "frequency_cap"]]
    """The cause of a delay: a send window or a frequency cap"""
    subject: str
    """The subject, which may have placeholders"""
    html: str
    """HTML"""
    text: str
    """Plain text"""
    skipped: NotRequired[str]
    """Why the message would not be sent"""
    detail: NotRequired[SkipDetail]


class Rehearsal(TypedDict):
    """The result of a rehearsal"""

    path: Sequence[RehearsalPathItem]
    """The nodes that the rehearsal ran"""
    emails: Sequence[RehearsalEmailsItem]
    """The messages that it would send"""
    status: Literal["completed", "exited", "failed", "cancelled", "waiting", "filter_not_matched"]
    """The status"""
    exitReason: Optional[str]
    """The reason that the exit node gives"""
    endedAt: str
    """When it ends, in virtual time"""


class WorkflowTimelineSeriesItem(TypedDict):
    at: str
    """The beginning of the hour, day or month, or the instant"""
    entered: int
    """Executions that began"""
    completed: int
    """Executions that reached an end of the graph"""
    exited: int
    """Executions that ended before, without an error"""
    cancelled: int
    """Executions that were cancelled"""
    failed: int
    """Executions that ended with an error"""
    sent: int
    """Messages that were sent"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    unsubscribed: int
    """Unsubscribes"""
    proxied: int
    """Messages whose images a proxy loaded ahead of the reader, for the first time"""
    scanned: int
    """Messages that another machine opened or clicked, for the first time"""


WorkflowTimeline = TypedDict(
    "WorkflowTimeline",
    {
        # The workflow
        "workflowId": "str",
        # The length of a bucket
        "step": "Literal['hour', 'day']",
        # The beginning of the first bucket
        "from": "str",
        # The end of the last bucket
        "to": "str",
        # One entry for each bucket, empty ones included
        "series": "Sequence[WorkflowTimelineSeriesItem]",
    },
)
"""Executions of a workflow and its live messages over time: each execution and each message counts once in each member"""


class StartCheckoutRequest(TypedDict):
    """The body of `startCheckout`"""

    plan: Literal["starter", "growth"]
    """The plan"""
    returnUrl: NotRequired[str]
    """Where the customer returns to"""


class Checkout(TypedDict):
    """A started checkout"""

    checkoutUrl: str
    """Where the customer pays"""
    sessionId: str
    """The payment provider's id of the checkout"""


class PlanCampaignRequest(TypedDict):
    """The body of `planCampaign`"""

    scheduledFor: NotRequired[str]
    """When it starts. With `localTime`, the date and time in each recipient’s time zone: an offset is optional and ignored"""
    localTime: NotRequired[bool]
    """An extension of this implementation: each recipient gets it when their own clock shows `scheduledFor`"""
    passed: NotRequired[Literal["now", "nextDay", "skip"]]
    """An extension of this implementation, with `localTime`: what happens to recipients whose local time has already passed at the start; default `now`"""
    fallback: NotRequired[str]
    """An extension of this implementation, with `localTime`: the time zone for recipients whose own is not known; default: the fallback of the windows, or UTC"""
    abDecideAt: NotRequired[str]
    """After the start, at most 365 days; default 4 hours after it. Ignored without `abSubjectB`"""
    decide: NotRequired[Literal["onTime", "afterResume"]]
    """An extension of this implementation: whether the winner of an A/B test is chosen at `abDecideAt` even if the campaign is paused then (`onTime`, the default), or once it is resumed. Ignored without `abSubjectB`"""
    throttlePerMinute: NotRequired[int]
    """Spaces the messages evenly"""
    rollout: NotRequired[Sequence[RolloutStep]]
    """An extension of this implementation: sends the campaign in 2 to 10 steps. It waits after each, and stops if too many messages bounced, were refused, reported as spam, or failed. Not with an A/B test, a schedule, `localTime`, or windows that skip recipients"""


class PlannedSkips(TypedDict):
    """Contacts that never get the campaign, and why"""

    reason: Literal["unsubscribed", "suppressed", "limit_reached"]
    """Why"""
    detail: NotRequired[str]
    """The kind of suppression, `topic`, `paused`, `closed` or `expired`"""
    count: int
    """The count"""


class CampaignPlanHoursItemZonesItem(TypedDict):
    timezone: str
    """The time zone, as `Europe/Vienna`"""
    at: str
    """The first of them"""
    count: int
    """The count"""


class CampaignPlanHoursItem(TypedDict):
    hour: str
    """When the hour begins"""
    count: int
    """The count"""
    zones: Sequence[CampaignPlanHoursItemZonesItem]
    """The same by time zone"""


class CampaignPlan(TypedDict):
    """Who gets a campaign when, and how many contacts never do"""

    startsAt: str
    """When the campaign begins"""
    lastAt: Optional[str]
    """The start of the last hour; null without recipients"""
    recipients: int
    """How many get it"""
    hours: Sequence[CampaignPlanHoursItem]
    """How many get it, by hour in UTC"""
    fallback: int
    """Contacts without a known time zone, for whom `fallback` is used"""
    late: int
    """Contacts whose window closes before the throttle reaches them: they wait for the next window"""
    never: Sequence[PlannedSkips]
    """How many never get it, by reason"""


class PreflightCheck(TypedDict):
    """A check before a launch"""

    check: Literal["sending_domain", "dmarc", "one_click_unsubscribe", "complaint_rate", "audience", "volume", "placeholders", "languages", "translations", "subject", "postal_address", "unsubscribe_link", "links", "images", "text", "size", "client_support", "rendering", "spam_words", "spam_score"]
    """The name of the check, for programs"""
    level: Literal["block", "warn", "ok"]
    """`block` refuses the launch, `warn` needs attention, `ok` is as it should be"""
    what: str
    """The finding"""
    how: str
    """Recommended action"""
    detail: NotRequired[str]
    """The places or figures that it is about"""
    languages: NotRequired[Sequence[Optional[str]]]
    """The languages that it is about, null for the default content; absent if it holds for all"""


class CampaignPreflight(TypedDict):
    """The checks of a campaign before its launch"""

    campaignId: str
    """The campaign"""
    checks: Sequence[PreflightCheck]
    """The checks"""
    blocking: bool
    """Whether a check has the level `block`"""
    asOf: str
    """When the checks began"""


class CoveredLanguage(TypedDict):
    """A language of a campaign, with the recipients that get it"""

    language: Optional[str]
    """The language of the variant (BCP 47); null for the default content"""
    recipients: int
    """Recipients that get this language"""
    share: float
    """Their share of all recipients, from 0 to 1"""
    missing: Sequence[str]
    """What the default has and this language lacks, such as `previewText`, or a translation such as `t "greeting"`; for the default, translations that do not exist"""


class CoveredLocale(TypedDict):
    """A locale of the audience, with the language that it gets"""

    locale: Optional[str]
    """The `locale` of the contacts"""
    recipients: int
    """Recipients with this locale"""
    language: Optional[str]
    """The language of the variant (BCP 47); null for the default content"""


class CampaignCoverage(TypedDict):
    """Which recipients of a campaign would get which language"""

    campaignId: str
    """The campaign"""
    recipients: int
    """The number of contacts that a send would reach now"""
    languages: Sequence[CoveredLanguage]
    """The default first, then each variant"""
    locales: Sequence[CoveredLocale]
    """The locales of the audience, most recipients first, at most 100"""
    asOf: str
    """When the audience was counted"""


class CampaignTimelineSeriesItem(TypedDict):
    at: str
    """The beginning of the hour, day or month, or the instant"""
    sent: int
    """Messages that were sent"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    unsubscribed: int
    """Unsubscribes"""
    proxied: int
    """Messages whose images a proxy loaded ahead of the reader, for the first time"""
    scanned: int
    """Messages that another machine opened or clicked, for the first time"""


CampaignTimeline = TypedDict(
    "CampaignTimeline",
    {
        # The campaign
        "campaignId": "str",
        # The length of a bucket
        "step": "Literal['hour', 'day']",
        # The beginning of the first bucket
        "from": "str",
        # The end of the last bucket
        "to": "str",
        # One entry for each bucket, empty ones included
        "series": "Sequence[CampaignTimelineSeriesItem]",
    },
)
"""Live messages of a campaign over time: each message counts once in each member"""


class TurnItem(TypedDict):
    """An entry of a feed that a turn sends"""

    guid: str
    """The id of the entry in its feed, or its URL"""
    title: Optional[str]
    """Plain text"""
    url: Optional[str]
    """The URL"""


class CampaignTurn(TypedDict):
    """A turn of a recurring campaign"""

    number: int
    """Starts at 1 and includes skipped turns"""
    at: str
    """The instant of the schedule"""
    status: Literal["sending", "sent", "cancelled", "skipped", "deleted"]
    """The status"""
    skipReason: Optional[str]
    """Why the turn was skipped: `missed`, a reason of its feed, or the error code that a send would have returned"""
    skipDetail: NotRequired[str]
    """The error of the feed, if it is the reason"""
    campaignId: Optional[str]
    """The campaign of the turn; null if it was skipped"""
    totalRecipients: int
    """The size of the audience when it was frozen"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    items: NotRequired[Sequence[TurnItem]]
    """The entries of the feed that the turn sends"""


class FeedItem(TypedDict):
    """An entry of a feed, as templates read it"""

    guid: str
    """The id of the entry in its feed, or its URL"""
    title: Optional[str]
    """Plain text"""
    url: Optional[str]
    """The URL"""
    summary: Optional[str]
    """Plain text"""
    html: Optional[str]
    """Cleaned HTML; null if it is too long"""
    author: Optional[str]
    """The name of the author"""
    image: Optional[str]
    """The address of its picture"""
    publishedAt: Optional[str]
    """When it was published"""


class FeedOutlook(TypedDict):
    """What the next turn would send if it were now"""

    title: Optional[str]
    """The title of the feed"""
    items: Sequence[FeedItem]
    """The entries that the turn would send"""
    skipReason: Optional[Literal["nothing_new", "too_few_items"]]
    """Why the turn would be skipped"""
    left: int
    """The number of new entries that would stay for later turns"""
    error: Optional[str]
    """Why the feed could not be read"""


class PauseCampaignRequest(TypedDict):
    """The body of `pauseCampaign`"""

    until: NotRequired[str]
    """Resumes the campaign automatically"""
    retries: NotRequired[Literal["continue", "hold"]]
    """`continue` retries deferred messages while the campaign is paused; `hold` holds them until it resumes; default `"continue"`"""


class PausedCampaign(TypedDict):
    """A paused campaign, with the number of recipients that each state has"""

    campaignId: str
    """The campaign"""
    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    subject: str
    """The subject, which may have placeholders"""
    previewText: Optional[str]
    """What email clients show after the subject"""
    body: str
    """The text, as HTML where it is a message"""
    bodyBlocks: Optional[Union[str, Sequence[Any], Mapping[str, Any]]]
    """The visual editor's design: stored as given, never sent"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    fromEmail: str
    """The sender's address"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    variants: NotRequired[Mapping[str, CampaignVariant]]
    """An extension of this implementation: present if there are variants, by language (BCP 47)"""
    status: Literal["draft", "scheduled", "sending", "sent", "cancelled"]
    """The status"""
    heldReason: Optional[str]
    """Why a sending campaign is on hold. `provider_refuses`: recipients of one provider wait, others may get their message. `rollout_stopped`: the results of a step stopped the rollout; resume the campaign to continue"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    audience: Literal["all", "segment", "filter"]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    segmentId: Optional[str]
    """The segment; null where there is none"""
    filter: Optional[Mapping[str, Any]]
    """A condition tree that selects contacts; null if there is none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the campaign has a topic"""
    sendOnce: NotRequired[StoredSendOnce]
    """An extension of this implementation: present if the campaign has a send-once key"""
    abSubjectB: Optional[str]
    """Subject B of an A/B test; null if there is none"""
    abSamplePct: Optional[int]
    """Percent of the audience that gets A or B first"""
    abDecideAt: Optional[str]
    """When the winner is chosen; null if there is no A/B test"""
    abWinner: Optional[Literal["a", "b"]]
    """The winning variant; null until it is chosen"""
    throttlePerMinute: Optional[int]
    """The maximum number of messages per minute; null for no limit"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    totalRecipients: int
    """The size of the audience when it was frozen"""
    delivered: int
    """Messages that were delivered"""
    opened: int
    """Messages that were opened, each counted once"""
    clicked: int
    """Messages with a click, each counted once"""
    bounced: int
    """Messages that bounced"""
    complained: int
    """Messages that were reported as spam"""
    unsubscribed: int
    """Unsubscribes"""
    createdAt: str
    """When it was created"""
    archivedAt: NotRequired[str]
    """An extension of this implementation: present while it is archived"""
    machines: NotRequired[MachineOpens]
    """An extension of this implementation: present if machines opened messages. They are not in `opened` or `clicked`"""
    decide: NotRequired[Literal["afterResume"]]
    """Present if the winner is not chosen while the campaign is paused; an extension of this implementation"""
    paused: NotRequired[CampaignPause]
    """While it is paused; an extension of this implementation"""
    schedule: NotRequired[ShownSchedule]
    """Present if the campaign is recurring; an extension of this implementation"""
    evergreen: NotRequired[Literal[True]]
    """Present if each contact gets the campaign once, in any of its turns; an extension of this implementation"""
    feed: NotRequired[ShownFeed]
    """Present if the turns of the campaign send entries of a feed; an extension of this implementation"""
    nextTurnAt: NotRequired[Optional[str]]
    """Present once a recurring campaign is sent: the instant of its next turn; null if there is none; an extension of this implementation"""
    turns: NotRequired[int]
    """Present once a recurring campaign is sent: the number of turns so far, including skipped turns; an extension of this implementation"""
    turnOf: NotRequired[TurnOfSeries]
    """Present if the campaign is a turn of a recurring one; an extension of this implementation"""
    windows: NotRequired[ShownWindows]
    """An extension of this implementation: present if the campaign has windows of its own"""
    localTime: NotRequired[LocalTimeLaunch]
    """An extension of this implementation: present if it is launched at a local time"""
    rollout: NotRequired[Sequence[ShownRolloutStep]]
    """An extension of this implementation: present if the campaign is sent in steps"""
    contentVersion: NotRequired[int]
    """The version that is sent, from 2 on; present once the content was corrected; an extension of this implementation"""
    sent: int
    """Recipients whose first attempt has ended"""
    inFlight: int
    """Recipients whose first attempt is under way"""
    remaining: int
    """Recipients whose message has not begun"""


class ResumeCampaignRequest(TypedDict):
    """The body of `resumeCampaign`"""

    missed: NotRequired[Literal["latest", "skip"]]
    """For a recurring campaign: what to do with missed turns. Default `latest` if the campaign waits for an answer"""


class RescheduleCampaignRequest(TypedDict):
    """The body of `rescheduleCampaign`"""

    scheduledFor: str
    """When it is sent"""
    force: NotRequired[bool]
    """An extension of this implementation: launches the campaign although a check of its preflight has the level `block`"""
    forceReason: NotRequired[str]
    """An extension of this implementation, with `force`: the reason; stored in the audit"""


class ReviseCampaignRequest(TypedDict):
    """The body of `reviseCampaign`"""

    subject: NotRequired[str]
    """The subject, which may have placeholders"""
    previewText: NotRequired[Optional[str]]
    """What email clients show after the subject"""
    body: NotRequired[str]
    """HTML with placeholders"""
    bodyBlocks: NotRequired[Optional[Union[str, Sequence[Any], Mapping[str, Any]]]]
    """An extension of this implementation: the visual editor's design of the corrected HTML, stored as given, never sent"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    replyTo: NotRequired[Optional[str]]
    """The Reply-To address; null for the From address"""
    variants: NotRequired[Optional[Mapping[str, Optional[CampaignVariantInput]]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default. Languages that are not given stay; null removes one, or all"""


class BreakDownAudienceRequest(TypedDict):
    """The body of `breakDownAudience`"""

    audience: Literal["all", "segment", "filter"]
    """Who receives it: all subscribed contacts, a segment, or contacts that match a filter"""
    segmentId: NotRequired[Optional[str]]
    """Required when the audience is `segment`"""
    filter: NotRequired[Optional[ConditionTree]]
    """Required when the audience is `filter`"""
    topicId: NotRequired[Optional[str]]
    """An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none"""


class AudienceBreakdownLeftOutSuppressed(TypedDict):
    """Subscribed contacts with a suppressed address, by the reason of its suppression"""

    hard_bounce: int
    """The address does not exist"""
    complaint: int
    """The recipient reported a message as spam"""
    unsubscribe: int
    """The address unsubscribed"""
    manual: int
    """The address was suppressed manually"""


class AudienceBreakdownLeftOut(TypedDict):
    """Contacts that would be skipped, by reason"""

    unsubscribed: int
    """Contacts that are not subscribed"""
    suppressed: AudienceBreakdownLeftOutSuppressed
    """Subscribed contacts with a suppressed address, by the reason of its suppression"""
    topic: NotRequired[int]
    """An extension of this implementation: contacts who are not in the topic; present if a topic was given"""


class AudienceBreakdown(TypedDict):
    """The contacts in an audience, and those that would be skipped"""

    named: int
    """All contacts in the audience, including those that would be skipped"""
    count: int
    """Contacts that would receive a send right now"""
    leftOut: AudienceBreakdownLeftOut
    """Contacts that would be skipped, by reason"""


class CertifiedVersionBounced(TypedDict):
    """Refused for good, by kind"""

    hard: int
    """The mailbox does not exist"""
    soft: int
    """The mailbox was full or unavailable"""
    block: int
    """The sender or the content was refused"""


class CertifiedVersion(TypedDict):
    """Messages with one version of the content"""

    version: int
    """The version, counted from 1"""
    sent: int
    """Recipients whose message was attempted: the sum of the members from `delivered` to `inDoubt`"""
    delivered: int
    """Messages that were delivered"""
    bounced: CertifiedVersionBounced
    """Refused for good, by kind"""
    failed: int
    """Ended without a bounce: retries used up, a fault on our side, or a retry that was cancelled"""
    deferred: int
    """Refused for now; another attempt follows"""
    inDoubt: int
    """Messages with an unknown outcome: in transit, without a recorded reply, or accepted without a delivery report"""


class CertificateChain(TypedDict):
    """The end of the hash chain over the lines of the CSV"""

    algorithm: Literal["sha256"]
    """The hash algorithm"""
    head: str
    """The hash of the last line of the CSV; without recipients, that of its header"""
    rows: int
    """Recipients in the CSV"""


class CampaignCertificateBounced(TypedDict):
    """Refused for good, by kind"""

    hard: int
    """The mailbox does not exist"""
    soft: int
    """The mailbox was full or unavailable"""
    block: int
    """The sender or the content was refused"""


class CampaignCertificate(TypedDict):
    """The outcome of a campaign for its frozen audience: sent, skipped and pending"""

    campaignId: str
    """The campaign"""
    audience: int
    """All recipients: the sum of `sent`, `skipped` and `pending`"""
    sent: int
    """Recipients whose message was attempted: the sum of the members from `delivered` to `inDoubt`"""
    delivered: int
    """Messages that were delivered"""
    bounced: CampaignCertificateBounced
    """Refused for good, by kind"""
    failed: int
    """Ended without a bounce: retries used up, a fault on our side, or a retry that was cancelled"""
    deferred: int
    """Refused for now; another attempt follows"""
    inDoubt: int
    """Messages with an unknown outcome: in transit, without a recorded reply, or accepted without a delivery report"""
    skipped: Mapping[str, int]
    """Recipients that were skipped, by reason"""
    pending: int
    """Recipients whose message has not begun"""
    byVersion: Sequence[CertifiedVersion]
    """The same messages by the version of the content"""
    asOf: str
    """When the count began"""
    final: bool
    """Whether the figures can no longer change, including by late bounces"""
    finalAt: Optional[str]
    """When it becomes final if no message bounces before; null while unknown"""
    chain: CertificateChain


class CertifiedNodeBounced(TypedDict):
    """Refused for good, by kind"""

    hard: int
    """The mailbox does not exist"""
    soft: int
    """The mailbox was full or unavailable"""
    block: int
    """The sender or the content was refused"""


class CertifiedNode(TypedDict):
    """Messages of one node"""

    nodeId: str
    """The node of the graph"""
    sent: int
    """Recipients whose message was attempted: the sum of the members from `delivered` to `inDoubt`"""
    delivered: int
    """Messages that were delivered"""
    bounced: CertifiedNodeBounced
    """Refused for good, by kind"""
    failed: int
    """Ended without a bounce: retries used up, a fault on our side, or a retry that was cancelled"""
    deferred: int
    """Refused for now; another attempt follows"""
    inDoubt: int
    """Messages with an unknown outcome: in transit, without a recorded reply, or accepted without a delivery report"""


class WorkflowCertificateBounced(TypedDict):
    """Refused for good, by kind"""

    hard: int
    """The mailbox does not exist"""
    soft: int
    """The mailbox was full or unavailable"""
    block: int
    """The sender or the content was refused"""


WorkflowCertificate = TypedDict(
    "WorkflowCertificate",
    {
        # The workflow
        "workflowId": "str",
        # The beginning, inclusive
        "from": "Optional[str]",
        # The end, exclusive
        "to": "Optional[str]",
        # All recipients: the sum of `sent`, `skipped` and `pending`
        "audience": "int",
        # Recipients whose message was attempted: the sum of the members from `delivered` to `inDoubt`
        "sent": "int",
        # Messages that were delivered
        "delivered": "int",
        # Refused for good, by kind
        "bounced": "WorkflowCertificateBounced",
        # Ended without a bounce: retries used up, a fault on our side, or a retry that was cancelled
        "failed": "int",
        # Refused for now; another attempt follows
        "deferred": "int",
        # Messages with an unknown outcome: in transit, without a recorded reply, or accepted without a delivery report
        "inDoubt": "int",
        # Recipients that were skipped, by reason
        "skipped": "Mapping[str, int]",
        # Recipients whose message has not begun
        "pending": "int",
        # The same messages by the node that sent them
        "byNode": "Sequence[CertifiedNode]",
        # When the count began
        "asOf": "str",
        # Whether the figures can no longer change, including by late bounces
        "final": "bool",
        # When it becomes final if no message bounces before; null while unknown
        "finalAt": "Optional[str]",
        "chain": "CertificateChain",
    },
)
"""Outcomes of the `send_email` nodes of a workflow for contacts enrolled in a time range"""


class ConsentProof(TypedDict):
    """The hash of the previous entry"""

    sequence: int
    """The number of the entry, from 1, for each person"""
    nonce: Optional[str]
    """Random characters in `detailsHash`, so that it cannot be guessed; null once erased"""
    detailsHash: str
    """SHA-256 of the nonce and the members of the entry"""
    previousHash: Optional[str]
    """`hash` of the previous entry of the person; null for the first"""
    hash: str
    """SHA-256 of `previousHash`, sequence, time and both hashes"""


class ConsentEntry(TypedDict):
    """One entry of the ledger of consent. Entries are never changed; erasure keeps time and hashes"""

    entryId: str
    """The entry, by id"""
    at: str
    """When it happened"""
    kind: Optional[Literal["requested", "confirmed", "changed", "withdrawn"]]
    """The change; null once the person was erased"""
    topicId: Optional[str]
    """The topic that it is about; null where it is about all marketing mail"""
    source: Optional[str]
    """How it happened, e.g. `form`, `opt_in`, `api`, `link`, `one_click`, `import`"""
    ip: Optional[str]
    """The IP address, stored as the setting `consent.ip` says"""
    userAgent: Optional[str]
    """The browser"""
    formId: Optional[str]
    """The form that the person used"""
    emailId: Optional[str]
    """The message whose link the person used"""
    text: Optional[str]
    """The exact text that the person was shown"""
    textHash: Optional[str]
    """SHA-256 of the text; it stays after an erasure"""
    proof: ConsentProof


class ConsentVerification(TypedDict):
    """The result of a check of a person's hash chain"""

    intact: bool
    """True if every entry is unchanged and none is missing"""
    entries: int
    """How many entries were verified"""
    brokenAt: Optional[str]
    """The first entry that was changed; `head` if the newest entries are missing"""


class ImportSummary(TypedDict):
    """An import in a list: without its columns and rejected rows"""

    importId: str
    """The import"""
    status: Literal["queued", "processing", "completed", "failed"]
    """The status"""
    totalRows: Optional[int]
    """How many rows the file has; null until they are counted"""
    processed: int
    """How many rows are done"""
    created: int
    """How many contacts were created"""
    updated: int
    """How many contacts were updated"""
    skipped: int
    """How many were skipped"""
    failed: int
    """How many failed"""
    error: Optional[str]
    """The error message; null if there was none"""
    createdAt: str
    """When it was created"""
    startedAt: Optional[str]
    """When it began; null before that"""
    finishedAt: Optional[str]
    """When it ended; null before that"""


class Erasure(TypedDict):
    """The progress of the erasure of a contact"""

    erasureId: str
    """The erasure"""
    contactId: str
    """The contact"""
    status: Literal["running", "waiting", "completed"]
    """`waiting`: for mail and events in progress"""
    deletedAt: str
    """When the contact was deleted"""
    finishedAt: Optional[str]
    """When it ended; null before that"""
    contacts: int
    """Contacts that were deleted together in this erasure"""
    erased: Mapping[str, int]
    """Rows that were changed or deleted, by step; step names may change"""
    open: int
    """Messages and events in progress at the last check"""


class HeldData(TypedDict):
    """All stored data about a contact"""

    exportedAt: str
    """When the export was created"""
    contact: Mapping[str, Any]
    """The contact itself"""
    topics: Sequence[Mapping[str, Any]]
    """Topics that were chosen or left"""
    suppression: Optional[Mapping[str, Any]]
    """Its suppression; null where there is none"""
    segments: Sequence[Mapping[str, Any]]
    """Its memberships"""
    campaigns: Sequence[Mapping[str, Any]]
    """Campaigns that have it as a recipient"""
    importErrors: Sequence[Mapping[str, Any]]
    """Rejected import rows with its address"""
    emails: Sequence[Mapping[str, Any]]
    """Messages to it, with bodies and values"""
    inbound: Sequence[Mapping[str, Any]]
    """Received messages"""
    consent: Sequence[Mapping[str, Any]]
    """Entries of its consent ledger"""
    events: Sequence[Mapping[str, Any]]
    """Its events"""
    notes: Sequence[Mapping[str, Any]]
    """Notes about it: workflows that skipped it"""
    executions: Sequence[Mapping[str, Any]]
    """Its executions"""
    webhookDeliveries: Sequence[Mapping[str, Any]]
    """Webhook deliveries about it"""
    truncated: Sequence[str]
    """Lists that have more than the rows shown"""


class ProviderHold(TypedDict):
    """Why campaigns of a project are held for a provider"""

    since: str
    """When the hold began"""
    reply: str
    """The last reply, without addresses"""
    refused: int
    """Messages of the project that it refused by its rules for senders"""
    how: str
    """Recommended action, human-readable, such as records to publish"""
    nextCheckAt: Optional[str]
    """When Lettermill checks next whether the provider accepts the mail"""


class ProviderMeasure(TypedDict):
    """A limit by a rule of the operator, for the mail of all projects to a provider"""

    do: Literal["suspend", "rate"]
    """`suspend`: nothing is sent; `rate`: less is sent"""
    until: str
    """When it ends"""
    perMinute: NotRequired[float]
    """Messages a minute of each worker; present for `rate`"""


class ProviderReply(TypedDict):
    """A reply of a provider"""

    reply: str
    """Code and text, without addresses"""
    count: int
    """How many messages got it"""


class ProviderFigures(TypedDict):
    """The outcome of the mail to a provider"""

    provider: str
    """A known provider, the registered domain of the mail exchanger, or `other`"""
    sent: int
    """Messages that were accepted or refused for good"""
    delivered: int
    """Messages that were delivered and did not bounce"""
    deferred: int
    """Messages that wait for another attempt now; one that was accepted later is only in `sent`"""
    bounced: int
    """Messages that bounced"""
    policyRefusals: int
    """Refusals by rules for senders"""
    complained: int
    """Messages that were reported as spam"""
    complaintRate: Optional[float]
    """Complaints per delivered message; null without a delivery"""
    hold: Optional[ProviderHold]
    """Present while campaigns are held for the provider; otherwise null"""
    measures: Sequence[ProviderMeasure]
    """What slows or stops all mail to it now"""
    replies: Sequence[ProviderReply]
    """The newest different replies to undelivered mail, at most 5"""


class Providers(TypedDict):
    """The outcome of the mail to each provider"""

    since: str
    """Messages that were created from then on are counted"""
    providers: Sequence[ProviderFigures]
    """The providers, those with most mail first; those with limits are included if mail of the project waits for them"""


class TransportRampUsedItem(TypedDict):
    provider: Optional[str]
    """A known provider; null for all"""
    used: int
    """How many this month"""


class TransportRamp(TypedDict):
    """What a transport takes today"""

    step: int
    """The step of today; the first one is 1"""
    steps: int
    """How many steps have a limit"""
    amount: int
    """Messages of today, of all projects; of each provider where `used` names providers"""
    used: Sequence[TransportRampUsedItem]
    """What of it is used: in all (`provider` null), or by each known provider that had mail today"""
    overflow: Literal["wait", "other"]
    """What happens to mail beyond the limit: it waits for the next day, or takes another transport"""
    heldBack: Optional[Literal["refused", "unused"]]
    """Why today has the amount of the day before: too much was `refused`, or it was `unused`"""
    nextDayAt: str
    """When the next day begins"""


class TransportFigures(TypedDict):
    """The outcome of the mail over a transport"""

    name: str
    """Its name; `default` for mail without a route"""
    kind: Optional[Literal["smarthost", "direct"]]
    """A relay, or straight to the recipients' servers; null if mail of the project does not use it any more"""
    sent: int
    """Messages that were accepted or refused for good"""
    delivered: int
    """Messages that were delivered and did not bounce"""
    deferred: int
    """Messages that wait for another attempt now; one that was accepted later is only in `sent`"""
    bounced: int
    """Messages that bounced"""
    waiting: int
    """Messages that wait for the next day of its ramp"""
    ramp: Optional[TransportRamp]
    """Null without a daily limit"""


class Transports(TypedDict):
    """The outcome of the mail over each transport"""

    since: str
    """Messages that were created from then on are counted"""
    transports: Sequence[TransportFigures]
    """Those that mail of the project takes, or has taken"""


class ReportRecord(TypedDict):
    """A record to publish so that receivers send reports here"""

    purpose: Literal["dmarc", "tls"]
    """The purpose of the record"""
    type: Literal["TXT"]
    """The type of the record"""
    host: str
    """The name of the record"""
    value: str
    """The value to publish"""


class PublishedPolicy(TypedDict):
    """The DMARC policy as the newest report saw it"""

    p: Literal["none", "quarantine", "reject"]
    """The policy for the domain"""
    sp: Optional[Literal["none", "quarantine", "reject"]]
    """The policy for its subdomains; null if none is published"""
    pct: Optional[float]
    """The percentage of mail that the policy is for; null if none is published"""
    adkim: Literal["r", "s"]
    """How the domain of a signature must match: `r` relaxed, `s` strict"""
    aspf: Literal["r", "s"]
    """How the domain of the envelope must match: `r` relaxed, `s` strict"""


class DmarcReadiness(TypedDict):
    """Whether the domain can ask receivers for more"""

    quarantine: bool
    """Whether it can ask for `p=quarantine`"""
    reject: bool
    """Whether it can ask for `p=reject`"""
    cleanDays: int
    """Clean days in a row, up to the last day with a report; of the last 90 days"""
    lastDay: Optional[str]
    """The last day with a report; null without one"""


class DmarcDay(TypedDict):
    """The mail of a day, and its reports"""

    day: str
    """The beginning of the UTC day"""
    sent: Optional[int]
    """Messages sent from the domain that day; null if not counted"""
    messages: int
    """Messages in reports"""
    aligned: int
    """Messages that passed DMARC"""
    ours: int
    """Messages with a valid signature by the domain's key here"""


class DmarcOrganization(TypedDict):
    """Who sent reports"""

    organization: str
    """The name that the reporter gives itself"""
    reporter: str
    """The authenticated domain of its mail"""
    reports: int
    """Number of reports received"""
    messages: int
    """Messages in its reports"""


class DmarcSource(TypedDict):
    """Mail with the domain from one IP address, and of one kind"""

    ip: str
    """The IP address that handed the mail over"""
    kind: Literal["ours", "aligned", "failing"]
    """`ours`: signed by the domain's key here; `aligned`: passes DMARC otherwise; `failing`: does not pass"""
    sender: Optional[str]
    """The domain that a signature or the envelope proves; null if neither does"""
    messages: int
    """Messages in reports"""
    dkim: int
    """Messages with a signature that aligns"""
    spf: int
    """Messages with an envelope that aligns"""
    quarantined: int
    """Messages that receivers quarantined"""
    rejected: int
    """Messages that receivers rejected"""
    lastDay: str
    """The last day with a report on it"""


class DomainReportsDmarc(TypedDict):
    """DMARC reports about mail with the domain"""

    reports: int
    """Number of reports received"""
    messages: int
    """Messages in reports"""
    aligned: int
    """Messages that passed DMARC"""
    ours: int
    """Messages with a valid signature by the domain's key here"""
    policy: Optional[PublishedPolicy]
    """The policy as the newest report saw it; null without reports"""
    ready: DmarcReadiness
    days: Sequence[DmarcDay]
    """The days with reports, in order"""
    organizations: Sequence[DmarcOrganization]
    """Who reported, most messages first; at most 50"""
    sources: Sequence[DmarcSource]
    """The sources of mail with the domain, most messages first"""
    moreSources: int
    """Number of sources beyond `limit`"""


class DomainReportsTlsFailuresItem(TypedDict):
    type: str
    """The type of the failure, as in RFC 8460"""
    sessions: int
    """How many sessions failed so"""


class DomainReportsTls(TypedDict):
    """TLS reports about sessions that hosts opened to the domain"""

    reports: int
    """Number of reports received"""
    successful: int
    """Sessions with TLS"""
    failed: int
    """Sessions that failed"""
    failures: Sequence[DomainReportsTlsFailuresItem]
    """Failures by type, most sessions first; at most 50"""


DomainReports = TypedDict(
    "DomainReports",
    {
        # The name of the domain
        "domain": "str",
        # The beginning of the first day
        "from": "str",
        # The end of the last day
        "to": "str",
        # The address that receives reports
        "address": "str",
        # A record to publish so that reports arrive; advice, not checked
        "records": "Sequence[ReportRecord]",
        # DMARC reports about mail with the domain
        "dmarc": "DomainReportsDmarc",
        # TLS reports about sessions that hosts opened to the domain
        "tls": "DomainReportsTls",
    },
)
"""The reports of receivers about a domain"""


class RescheduleEmailRequest(TypedDict):
    """The body of `rescheduleEmail`"""

    sendAt: NotRequired[str]
    """When it is sent: 1 second to 365 days ahead"""


class EventFeed(TypedDict):
    """A part of the feed"""

    data: Sequence[Event]
    """The events, in the order of their receipt"""
    next: str
    """Pass it as `after` in the next request; always present"""


class File(TypedDict):
    """A picture for mail"""

    id: str
    """The file"""
    name: str
    """The name that the first upload gave it"""
    url: str
    """Where mail finds the picture"""
    contentType: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    """The media type, as the content shows it"""
    bytes: int
    """The size of the file"""
    width: int
    """Width in pixels, as people see it"""
    height: int
    """Height in pixels, as people see it"""
    createdAt: str
    """When it was created"""


class FileUse(TypedDict):
    """Something that shows a picture"""

    kind: Literal["brand", "template", "campaign", "workflow"]
    """What shows the picture; the brand has it as its logo"""
    id: str
    """The template, campaign or automation; for the brand, the project"""
    name: str
    """Its name"""


class FileDetail(TypedDict):
    """A picture for mail, with what shows it"""

    id: str
    """The file"""
    name: str
    """The name that the first upload gave it"""
    url: str
    """Where mail finds the picture"""
    contentType: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    """The media type, as the content shows it"""
    bytes: int
    """The size of the file"""
    width: int
    """Width in pixels, as people see it"""
    height: int
    """Height in pixels, as people see it"""
    createdAt: str
    """When it was created"""
    uses: Sequence[FileUse]
    """What shows the picture: the newest 20 of each kind"""


class FormField(TypedDict):
    """A question of a form"""

    key: str
    """The name of the field"""
    label: str
    """The text of the question"""
    required: bool
    """Whether it must be answered"""
    type: Literal["text", "number", "boolean", "date"]
    """The type of its value"""


class FormWithFiguresConfirmation(TypedDict):
    templateId: str
    """The template"""


class FormWithFiguresFiguresRefused(TypedDict):
    """Sign-ups that were refused, by cause"""

    honeypot: int
    """The hidden input was filled in"""
    tooFast: int
    """Sent faster than a person can"""
    proofOfWork: int
    """Without the proof of work"""
    rateLimited: int
    """Over a limit"""
    suppressed: int
    """The address gets no mail"""
    disposable: int
    """The address is of a disposable domain"""
    invalid: int
    """An answer was missing or wrong"""
    held: int
    """The form was held"""


class FormWithFiguresFigures(TypedDict):
    """Counts of the form since it was created"""

    submitted: int
    """Sign-ups that were accepted"""
    confirmed: int
    """Sign-ups that were confirmed by mail"""
    refused: FormWithFiguresFiguresRefused
    """Sign-ups that were refused, by cause"""


class FormWithFigures(TypedDict):
    """A sign-up form with its figures"""

    formId: str
    """The form"""
    name: str
    """The name, which is the title of its page"""
    fields: Sequence[FormField]
    """Questions in addition to the address"""
    topics: Sequence[str]
    """Topics that everyone who signs up joins"""
    doubleOptIn: bool
    """Whether the person confirms by mail first; one who opted out always does"""
    confirmation: Union[Literal["default"], FormWithFiguresConfirmation]
    """The confirmation: the text of the platform, or a template with `{{confirmUrl}}`"""
    confirm: Literal["button", "link"]
    """`button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch"""
    redirectUrl: Optional[str]
    """The URL to which the browser goes after the form is sent; null for a page of the platform"""
    consentText: str
    """The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent"""
    privacyUrl: Optional[str]
    """A link to your privacy policy"""
    proofOfWork: bool
    """Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript"""
    state: Literal["open", "held"]
    """`held`: the form accepts no sign-ups"""
    heldReason: Optional[Literal["burst", "manual"]]
    """`burst`: sign-ups were far above normal; `manual`: you held it; null while it is open"""
    heldAt: Optional[str]
    """Start of the hold"""
    url: str
    """The page of the form"""
    snippet: str
    """HTML of the form for a page of your own; needs no script"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""
    figures: FormWithFiguresFigures
    """Counts of the form since it was created"""


class CreateFormRequestFieldsItem(TypedDict):
    key: str
    """`firstName`, `lastName`, or the name of a custom field"""
    label: str
    """The text of the question"""
    required: NotRequired[bool]
    """Whether it must be answered; default `false`"""
    type: NotRequired[Literal["text", "number", "boolean", "date"]]
    """The type of its value; default `"text"`"""


class CreateFormRequestConfirmation(TypedDict):
    templateId: str
    """An opaque id"""


class CreateFormRequest(TypedDict):
    """The body of `createForm`"""

    name: str
    """Its name"""
    fields: NotRequired[Sequence[CreateFormRequestFieldsItem]]
    """Questions in addition to the address"""
    topics: NotRequired[Sequence[str]]
    """Topics that everyone who signs up joins"""
    doubleOptIn: NotRequired[bool]
    """Whether the person confirms by mail first; one who opted out always does; default `true`"""
    confirmation: NotRequired[Union[Literal["default"], CreateFormRequestConfirmation]]
    """The confirmation: the text of the platform, or a template with `{{confirmUrl}}`; default `"default"`"""
    confirm: NotRequired[Literal["button", "link"]]
    """`button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch; default `"button"`"""
    redirectUrl: NotRequired[Optional[str]]
    """The URL to which the browser goes after the form is sent; null for a page of the platform; default `null`"""
    consentText: str
    """The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent"""
    privacyUrl: NotRequired[Optional[str]]
    """A link to your privacy policy; default `null`"""
    proofOfWork: NotRequired[bool]
    """Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript; default `false`"""


class FormConfirmation(TypedDict):
    templateId: str
    """The template"""


class Form(TypedDict):
    """A sign-up form"""

    formId: str
    """The form"""
    name: str
    """The name, which is the title of its page"""
    fields: Sequence[FormField]
    """Questions in addition to the address"""
    topics: Sequence[str]
    """Topics that everyone who signs up joins"""
    doubleOptIn: bool
    """Whether the person confirms by mail first; one who opted out always does"""
    confirmation: Union[Literal["default"], FormConfirmation]
    """The confirmation: the text of the platform, or a template with `{{confirmUrl}}`"""
    confirm: Literal["button", "link"]
    """`button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch"""
    redirectUrl: Optional[str]
    """The URL to which the browser goes after the form is sent; null for a page of the platform"""
    consentText: str
    """The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent"""
    privacyUrl: Optional[str]
    """A link to your privacy policy"""
    proofOfWork: bool
    """Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript"""
    state: Literal["open", "held"]
    """`held`: the form accepts no sign-ups"""
    heldReason: Optional[Literal["burst", "manual"]]
    """`burst`: sign-ups were far above normal; `manual`: you held it; null while it is open"""
    heldAt: Optional[str]
    """Start of the hold"""
    url: str
    """The page of the form"""
    snippet: str
    """HTML of the form for a page of your own; needs no script"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""


class UpdateFormRequestFieldsItem(TypedDict):
    key: str
    """`firstName`, `lastName`, or the name of a custom field"""
    label: str
    """The text of the question"""
    required: NotRequired[bool]
    """Whether it must be answered; default `false`"""
    type: NotRequired[Literal["text", "number", "boolean", "date"]]
    """The type of its value; default `"text"`"""


class UpdateFormRequestConfirmation(TypedDict):
    templateId: str
    """An opaque id"""


class UpdateFormRequest(TypedDict):
    """The body of `updateForm`"""

    name: NotRequired[str]
    """Its name"""
    fields: NotRequired[Sequence[UpdateFormRequestFieldsItem]]
    """Questions in addition to the address"""
    topics: NotRequired[Sequence[str]]
    """Topics that everyone who signs up joins"""
    doubleOptIn: NotRequired[bool]
    """Whether the person confirms by mail first; one who opted out always does"""
    confirmation: NotRequired[Union[Literal["default"], UpdateFormRequestConfirmation]]
    """The confirmation: the text of the platform, or a template with `{{confirmUrl}}`"""
    confirm: NotRequired[Literal["button", "link"]]
    """`button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch"""
    redirectUrl: NotRequired[Optional[str]]
    """The URL to which the browser goes after the form is sent; null for a page of the platform"""
    consentText: NotRequired[str]
    """The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent"""
    privacyUrl: NotRequired[Optional[str]]
    """A link to your privacy policy"""
    proofOfWork: NotRequired[bool]
    """Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript"""
    state: NotRequired[Literal["open", "held"]]
    """`held`: the form accepts no sign-ups; `open` also ends a hold after a burst"""


class Key(TypedDict):
    """A key, without its secret value"""

    keyId: str
    """The id of the key"""
    prefix: str
    """The first characters of the key, to identify it"""
    kind: Literal["secret", "test", "public"]
    """`test` keys deliver nothing; `public` keys can only record events, also from web pages"""
    scope: Optional[Literal["full", "sending", "read"]]
    """The permissions; null for a public key"""
    createdBy: Optional[str]
    """The creator, as the audit names callers: `person <id>`, `key <beginning>` or `console <session>`; null for an operator"""
    createdAt: str
    """When it was created"""
    expiresAt: Optional[str]
    """When it expires; null if it does not"""
    lastUsedAt: Optional[str]
    """When it was last used, to the minute; null if not within 400 days"""
    revokedAt: Optional[str]
    """When it was revoked; null if it is not"""


class CreateKeyRequest(TypedDict):
    """The body of `createKey`"""

    kind: Literal["secret", "test", "public"]
    """`test` keys deliver nothing; `public` keys can only record events, also from web pages"""
    scope: NotRequired[Literal["full", "sending", "read"]]
    """The permissions: full access; send and read e-mails; read only"""
    expiresAt: NotRequired[str]
    """When it expires; omit it for a key that does not expire"""


class CreatedKey(TypedDict):
    """A new key, with its secret value"""

    keyId: str
    """The id of the key"""
    prefix: str
    """The first characters of the key, to identify it"""
    kind: Literal["secret", "test", "public"]
    """`test` keys deliver nothing; `public` keys can only record events, also from web pages"""
    scope: Optional[Literal["full", "sending", "read"]]
    """The permissions; null for a public key"""
    createdBy: Optional[str]
    """The creator, as the audit names callers: `person <id>`, `key <beginning>` or `console <session>`; null for an operator"""
    createdAt: str
    """When it was created"""
    expiresAt: Optional[str]
    """When it expires; null if it does not"""
    lastUsedAt: Optional[str]
    """When it was last used, to the minute; null if not within 400 days"""
    revokedAt: Optional[str]
    """When it was revoked; null if it is not"""
    key: str
    """The key itself, shown this once"""


MemberRole = Literal["owner", "admin", "marketer", "analyst", "approver"]
"""`owner`: everything; `admin`: everything, except to change owners; `marketer`: contacts, content, campaigns and automations; `analyst`: read; `approver`: read, and decide approvals"""


class Member(TypedDict):
    """A person in the project"""

    personId: str
    """The id of the person; the audit names it"""
    address: str
    """The address that the person signs in with"""
    name: Optional[str]
    """Its name"""
    role: MemberRole
    since: str
    """When the person joined the project"""


class Invitation(TypedDict):
    """An invitation that waits"""

    invitationId: str
    """The id of the invitation"""
    address: str
    """The only address that can accept it"""
    role: MemberRole
    invitedBy: str
    """The inviter, as the audit names callers"""
    createdAt: str
    """When it was created"""
    expiresAt: str
    """When the link in the message ends"""


class CreateInvitationRequest(TypedDict):
    """The body of `createInvitation`"""

    address: str
    """The only address that can accept it"""
    role: MemberRole


class UpdateMemberRequest(TypedDict):
    """The body of `updateMember`"""

    role: MemberRole


class FormerMember(TypedDict):
    """A member who was removed"""

    success: Literal[True]
    """Always true"""
    keysRevoked: int
    """How many keys of the member were revoked"""


class OwnProject(TypedDict):
    """A project that the person is a member of"""

    projectId: str
    """The project that it belongs to"""
    name: str
    """Its name"""
    role: MemberRole


class Me(TypedDict):
    """The caller"""

    grant: Optional[str]
    """The role of the person, or the scope of the key; null for a public key"""
    projectId: str
    """The project that it belongs to"""
    personId: Optional[str]
    """Null for a key and for a link of an operator"""
    address: Optional[str]
    """The address of the person; null for a key and for a link of an operator"""
    name: Optional[str]
    """Its name"""
    projects: Sequence[OwnProject]
    """The projects that the person can switch to"""


class SavedBlock(TypedDict):
    """One or several blocks, saved under a name; mail gets a copy of them"""

    id: str
    """The saved block"""
    name: str
    """The name that the console shows"""
    blocks: Sequence[Mapping[str, Any]]
    """The blocks, as `blocks` of a design holds them"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""


class CreateSavedBlockRequest(TypedDict):
    """The body of `createSavedBlock`"""

    name: str
    """The name that the console shows; an extension of this implementation"""
    blocks: Sequence[Mapping[str, Any]]
    """The blocks, as `blocks` of a design holds them"""


class UpdateSavedBlockRequest(TypedDict):
    """The body of `updateSavedBlock`"""

    name: NotRequired[str]
    """The name that the console shows; an extension of this implementation"""
    blocks: NotRequired[Sequence[Mapping[str, Any]]]
    """The blocks, as `blocks` of a design holds them"""


class Followed(TypedDict):
    """Tracking settings"""

    opens: bool
    """Whether opens are tracked"""
    clicks: bool
    """Whether clicks are tracked"""


class Brand(TypedDict):
    """The brand that recipients see"""

    name: Optional[str]
    """The sender in the footer of marketing mail and on public pages; null for the project name"""
    logoUrl: Optional[str]
    """The logo on public pages: an https URL"""
    color: Optional[str]
    """The color of buttons and links on public pages, as `#rrggbb`"""
    address: Optional[str]
    """The postal address in the footer of marketing mail; it may have several lines"""
    css: Optional[str]
    """Styles of the public pages: CSS rules without external resources"""


class StoredFrequencyCapPer(TypedDict):
    """Length of the rolling window"""

    amount: float
    """How many units"""
    unit: str
    """The unit of time"""


class StoredFrequencyCapAppliesTo(TypedDict):
    """The marketing mail that the cap limits and counts. Absent: all"""

    type: NotRequired[str]
    """The type"""
    topics: NotRequired[Sequence[str]]
    """Absent: mail of any topic and of none"""
    sources: NotRequired[Sequence[str]]
    """Absent: all of them"""


class StoredFrequencyCapWaitUpTo(TypedDict):
    """A message that would wait longer is skipped. Absent: 7 days"""

    amount: float
    """How many units"""
    unit: str
    """The unit of time"""


class StoredFrequencyCap(TypedDict):
    """A bound on the marketing mail that a person gets"""

    name: str
    """Its name"""
    max: int
    """Maximum messages per person in any window"""
    per: StoredFrequencyCapPer
    """Length of the rolling window"""
    appliesTo: NotRequired[StoredFrequencyCapAppliesTo]
    """The marketing mail that the cap limits and counts. Absent: all"""
    whenReached: Literal["wait", "skip"]
    """A message waits until the cap allows it, or is skipped"""
    waitUpTo: NotRequired[StoredFrequencyCapWaitUpTo]
    """A message that would wait longer is skipped. Absent: 7 days"""


class SettingsConsent(TypedDict):
    """Settings of the ledger of consent"""

    ip: Literal["off", "hash", "full"]
    """IP addresses of people who sign up and confirm: not stored, stored as a keyed hash (the default), or stored in full"""


class SettingsTracking(TypedDict):
    """The default tracking of messages that do not set it"""

    transactional: Followed
    """For mail of the type `transactional`"""
    marketing: Followed
    """For mail of the type `marketing`, including campaigns"""


class Settings(TypedDict):
    """The settings of a project"""

    name: str
    """The project name, shown on public pages and in the console"""
    consent: SettingsConsent
    """Settings of the ledger of consent"""
    tracking: SettingsTracking
    """The default tracking of messages that do not set it"""
    brand: Brand
    windows: Optional[ShownWindows]
    """When marketing mail may go out, unless a campaign or an automation has windows of its own; null for any time"""
    frequencyCaps: Sequence[StoredFrequencyCap]
    """The maximum number of marketing messages per person within any window. A cap counts from its first message on"""
    approvalNeededAbove: Optional[int]
    """A campaign or a batch with more recipients than this needs an approval, by another key or session than the one that requests it; null for never"""
    membersNeedSecondFactor: bool
    """Whether members need a second factor to work in the project. Only an owner who has one can turn it on. Applies from the next request of each session"""


class FrequencyCapPer(TypedDict):
    """Length of the rolling window: at most 365 of the unit"""

    amount: int
    """How many units"""
    unit: Literal["seconds", "minutes", "hours", "days", "weeks"]
    """The unit of time"""


class FrequencyCapAppliesTo(TypedDict):
    """The marketing mail that the cap limits and counts. Default: all"""

    type: NotRequired[Literal["marketing"]]
    """Other mail is never capped"""
    topics: NotRequired[Sequence[str]]
    """Default: mail of any topic and of none"""
    sources: NotRequired[Sequence[Literal["transactional", "campaign", "workflow"]]]
    """`transactional` is the API. Default: all of them"""


class FrequencyCapWaitUpTo(TypedDict):
    """With `wait`: a message that would wait longer is skipped. Default: 7 days; at most 30 of the unit"""

    amount: int
    """How many units"""
    unit: Literal["seconds", "minutes", "hours", "days", "weeks"]
    """The unit of time"""


class FrequencyCap(TypedDict):
    """A bound on the marketing mail that a person gets"""

    name: str
    """Its name"""
    max: int
    """Maximum messages per person in any window"""
    per: FrequencyCapPer
    """Length of the rolling window: at most 365 of the unit"""
    appliesTo: NotRequired[FrequencyCapAppliesTo]
    """The marketing mail that the cap limits and counts. Default: all"""
    whenReached: Literal["wait", "skip"]
    """A message waits until the cap allows it, or is skipped as `limit_reached`"""
    waitUpTo: NotRequired[FrequencyCapWaitUpTo]
    """With `wait`: a message that would wait longer is skipped. Default: 7 days; at most 30 of the unit"""


class UpdateSettingsRequestConsent(TypedDict):
    """Settings of the ledger of consent; an extension of this implementation"""

    ip: Literal["off", "hash", "full"]
    """IP addresses of people who sign up and confirm: not stored, stored as a keyed hash (the default), or stored in full"""


class UpdateSettingsRequestTracking(TypedDict):
    """The default tracking of messages that do not set it; null resets it; an extension of this implementation"""

    transactional: NotRequired[Optional[TrackingWish]]
    """For mail of the type `transactional`"""
    marketing: NotRequired[Optional[TrackingWish]]
    """For mail of the type `marketing`, including campaigns"""


class UpdateSettingsRequestBrand(TypedDict):
    name: NotRequired[Optional[str]]
    """The sender in the footer of marketing mail and on public pages; null for the project name"""
    logoUrl: NotRequired[Optional[str]]
    """The logo on public pages: an https URL"""
    color: NotRequired[Optional[str]]
    """The color of buttons and links on public pages, as `#rrggbb`"""
    address: NotRequired[Optional[str]]
    """The postal address in the footer of marketing mail; it may have several lines"""
    css: NotRequired[Optional[str]]
    """Styles of the public pages: CSS rules without external resources"""


class UpdateSettingsRequest(TypedDict):
    """The body of `updateSettings`"""

    name: NotRequired[str]
    """The project name, shown on public pages and in the console; an extension of this implementation"""
    consent: NotRequired[UpdateSettingsRequestConsent]
    """Settings of the ledger of consent; an extension of this implementation"""
    tracking: NotRequired[UpdateSettingsRequestTracking]
    """The default tracking of messages that do not set it; null resets it; an extension of this implementation"""
    brand: NotRequired[Optional[UpdateSettingsRequestBrand]]
    """The brand that recipients see; null removes a member, or all of it; an extension of this implementation"""
    windows: NotRequired[Optional[SendWindows]]
    """When marketing mail may go out, unless a campaign or an automation has windows of its own; null for any time; an extension of this implementation"""
    frequencyCaps: NotRequired[Sequence[FrequencyCap]]
    """The maximum number of marketing messages per person within any window. A cap counts from its first message on. Replaces all of them; an empty array removes them; an extension of this implementation"""
    approvalNeededAbove: NotRequired[Optional[int]]
    """A campaign or a batch with more recipients than this needs an approval, by another key or session than the one that requests it; null for never; an extension of this implementation"""
    membersNeedSecondFactor: NotRequired[bool]
    """Whether members need a second factor to work in the project. Only an owner who has one can turn it on. Applies from the next request of each session; an extension of this implementation"""


class SmtpSession(TypedDict):
    """A connection over which a key has signed in to SMTP submission"""

    sessionId: str
    """The id of the session"""
    startedAt: str
    """When it began"""
    endedAt: Optional[str]
    """Null while the connection is open, which is at most 30 minutes; it stays null if the process that served it was killed"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    network: str
    """The network of the program: its IP address without the last part"""
    client: str
    """The name that the program sent in EHLO"""
    tls: str
    """The version of TLS"""
    key: str
    """The first characters of the API key"""
    result: Literal["accepted", "partial", "refused", "nothing"]
    """`partial`: something was accepted and something refused. `nothing`: the program signed in and submitted nothing"""
    accepted: int
    """Messages that were answered with 250"""
    refused: int
    """Commands and messages that were refused"""
    emailIds: Sequence[str]
    """The newest 100 e-mails that were stored"""
    refusals: Sequence[str]
    """The newest 10 replies that refused something"""


class UpdateSuppressionRequest(TypedDict):
    """The body of `updateSuppression`"""

    note: Optional[str]
    """A note for your own use; null removes it"""


class ImportSuppressionsRequestSuppressionsItem(TypedDict):
    email: str
    """The e-mail address"""
    reason: NotRequired[Literal["hard_bounce", "complaint", "unsubscribe", "manual"]]
    """Why; default `"manual"`"""
    note: NotRequired[str]
    """An extension of this implementation: a note for your own use"""


class ImportSuppressionsRequest(TypedDict):
    """The body of `importSuppressions`"""

    suppressions: Sequence[ImportSuppressionsRequestSuppressionsItem]
    """If an address appears twice, the first entry wins"""


class ImportedSuppressions(TypedDict):
    """The result of an import of suppressions"""

    added: int
    """Addresses that were suppressed, or blocked where they had only opted out"""
    unchanged: int
    """Entries that changed nothing: suppressed before, or the same address again"""


class PreviewTemplateRequest(TypedDict):
    """The body of `previewTemplate`"""

    subject: str
    """The subject, which may have placeholders"""
    body: str
    """HTML with placeholders"""
    type: NotRequired[Literal["transactional", "marketing"]]
    """The type; default `"transactional"`"""
    contact: NotRequired[str]
    """The id or the address of the contact to render it for"""
    variables: NotRequired[Mapping[str, Any]]
    """Values for placeholders; they win over contact fields of the same name"""
    language: NotRequired[str]
    """The language that the content is a variant for: it decides on direction, dates and numbers"""


class TemplatePreviewPlaceholdersItem(TypedDict):
    name: str
    """A placeholder of the template; custom fields as `data.<field>`"""
    found: bool
    """Whether it has a value"""


class TemplatePreview(TypedDict):
    """A template rendered for a contact"""

    subject: str
    """The rendered subject"""
    html: str
    """The rendered HTML"""
    text: str
    """The plain text part"""
    placeholders: Sequence[TemplatePreviewPlaceholdersItem]
    """The placeholders of the template, except those that the platform provides"""
    warnings: Sequence[str]
    """Likely mistakes, such as placeholders of another service"""


class TestSendContentRequest(TypedDict):
    """The body of `testSendContent`"""

    to: str
    """The end, exclusive"""
    language: NotRequired[Union[Literal["default", "all"], str]]
    """An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets"""
    variables: NotRequired[Mapping[str, Any]]
    """Values for placeholders; they win over contact fields of the same name"""
    subject: str
    """The subject, which may have placeholders"""
    body: str
    """HTML with placeholders"""
    previewText: NotRequired[Optional[str]]
    """What email clients show after the subject"""
    fromEmail: str
    """The sender's address"""
    fromName: NotRequired[Optional[str]]
    """The sender's name; null where there is none"""
    replyTo: NotRequired[Optional[str]]
    """The Reply-To address; null for the From address"""
    variants: NotRequired[Optional[Mapping[str, ContentVariantInput]]]
    """An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none"""
    type: NotRequired[Literal["transactional", "marketing"]]
    """The type; default `"transactional"`"""


class RenderBlocksRequest(TypedDict):
    """The body of `renderBlocks`"""

    bodyBlocks: Union[str, Sequence[Any], Mapping[str, Any]]
    """A design of the block editor, or its JSON as text"""
    type: NotRequired[Literal["transactional", "marketing"]]
    """Marketing mail is checked for an unsubscribe link; default `"transactional"`"""


class RenderedBlocksWarningsItem(TypedDict):
    code: Literal["too_large", "image_only", "no_alt", "no_source", "no_link", "low_contrast", "client_support", "no_unsubscribe"]
    """The error code"""
    message: str
    """What to change"""
    block: Optional[str]
    """The id of the block; null for the whole message"""


class RenderedBlocks(TypedDict):
    """A design rendered to HTML"""

    body: str
    """The HTML, with placeholders: the `body` of a template or campaign"""
    warnings: Sequence[RenderedBlocksWarningsItem]
    """Problems that readers may have with it"""


class TopicWithFiguresFigures(TypedDict):
    """Present only on request"""

    recipients: int
    """Contacts that a campaign with this topic to all contacts would reach now"""


class TopicWithFigures(TypedDict):
    """A topic, with its figures if requested"""

    topicId: str
    """The id of the topic"""
    key: str
    """How conditions and columns name it, as `topic.<key>`"""
    name: str
    """Its name"""
    names: Mapping[str, str]
    """Its name by language (BCP 47)"""
    description: Optional[str]
    """A note for your own use"""
    defaultSubscription: Literal["in", "out"]
    """Whether contacts who did not choose get its mail (`in`) or not (`out`); it never changes"""
    visibility: Literal["public", "private"]
    """Public pages show a `private` topic only to people who are in it"""
    order: int
    """Its place in lists: the lowest first, then the oldest"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""
    figures: NotRequired[TopicWithFiguresFigures]
    """Present only on request"""


class CreateTopicRequest(TypedDict):
    """The body of `createTopic`"""

    key: str
    """How conditions and columns name it, as `topic.<key>`; it never changes"""
    name: str
    """Its name"""
    names: NotRequired[Mapping[str, str]]
    """Its name by language (BCP 47), where `name` is not the right one"""
    description: NotRequired[Optional[str]]
    """A note for your own use"""
    defaultSubscription: Literal["in", "out"]
    """Whether contacts who did not choose get its mail (`in`) or not (`out`); it never changes"""
    visibility: NotRequired[Literal["public", "private"]]
    """Public pages show a `private` topic only to people who are in it; default `"public"`"""
    order: NotRequired[int]
    """Its place in lists: the lowest first, then the oldest; default `0`"""


class Topic(TypedDict):
    """A kind of marketing mail that contacts can choose or leave"""

    topicId: str
    """The id of the topic"""
    key: str
    """How conditions and columns name it, as `topic.<key>`"""
    name: str
    """Its name"""
    names: Mapping[str, str]
    """Its name by language (BCP 47)"""
    description: Optional[str]
    """A note for your own use"""
    defaultSubscription: Literal["in", "out"]
    """Whether contacts who did not choose get its mail (`in`) or not (`out`); it never changes"""
    visibility: Literal["public", "private"]
    """Public pages show a `private` topic only to people who are in it"""
    order: int
    """Its place in lists: the lowest first, then the oldest"""
    createdAt: str
    """When it was created"""
    updatedAt: str
    """When it was last updated"""


class UpdateTopicRequest(TypedDict):
    """The body of `updateTopic`"""

    name: NotRequired[str]
    """Its name"""
    names: NotRequired[Mapping[str, str]]
    """Its name by language (BCP 47), where `name` is not the right one"""
    description: NotRequired[Optional[str]]
    """A note for your own use"""
    visibility: NotRequired[Literal["public", "private"]]
    """Public pages show a `private` topic only to people who are in it"""
    order: NotRequired[int]
    """Its place in lists: the lowest first, then the oldest"""


class ContactTopic(TypedDict):
    """A subscription of a contact to a topic"""

    topicId: str
    """The id of the topic"""
    key: str
    """The key of the topic"""
    name: str
    """The name of the topic"""
    subscribed: bool
    """Whether the contact gets its mail"""
    explicit: bool
    """Whether the contact chose so; otherwise the default of the topic applies"""
    since: Optional[str]
    """When the contact chose so; null if it did not"""
    source: Optional[Literal["api", "import", "one_click", "link", "mailto", "preferences", "form", "opt_in"]]
    """How the contact chose so; null if it did not"""


class ContactTopics(TypedDict):
    """The subscriptions of a contact to all topics of the project"""

    data: Sequence[ContactTopic]
    """Every topic of the project, in order"""


class ChangeContactTopicsRequestTopicsItem(TypedDict):
    topicId: str
    """An opaque id"""
    subscribed: bool
    """Whether the contact gets its mail from now on"""


class ChangeContactTopicsRequest(TypedDict):
    """The body of `changeContactTopics`"""

    topics: Sequence[ChangeContactTopicsRequestTopicsItem]
    """Topics to change; the others stay as they are"""


class Translations(TypedDict):
    """A project's own short texts by language, which mail reads with `{{t}}`"""

    translations: Mapping[str, Mapping[str, str]]
    """The texts by key, as in `{{t "greeting"}}`, and within a key by language (BCP 47); `default` is for all other languages"""
    version: int
    """Counts the changes; 0 before the first"""
    updatedAt: Optional[str]
    """When they last changed; null if never"""


class ReplaceTranslationsRequest(TypedDict):
    """The body of `replaceTranslations`"""

    translations: Mapping[str, Mapping[str, Any]]
    """The texts by key, as in `{{t "greeting"}}`, and within a key by language (BCP 47); `default` is for all other languages. Replaces all of them"""
    version: NotRequired[int]
    """The version that you read. If another change came first, the answer is 409 `conflict`. Default: not checked"""


class UpcomingEntry(TypedDict):
    """A future action, with the ids of the objects that it affects"""

    at: str
    """The beginning of the hour, day or month, or the instant"""
    kind: Literal["email", "campaign", "campaign_turn", "campaign_recipients", "rollout_step", "ab_decision", "pause_end", "snooze_end", "execution"]
    """`email`: a scheduled e-mail goes out. `campaign`: a scheduled campaign starts. `campaign_turn`: the next turn of a recurring campaign. `campaign_recipients`: the next recipients of a campaign with send windows or a local time. `rollout_step`: the next step of a rollout is checked and begins. `ab_decision`: an A/B test is decided. `pause_end`: a paused campaign resumes. `snooze_end`: a contact gets marketing mail again; only with `contactId`. `execution`: the wait of an execution ends, at the latest"""
    emailId: NotRequired[str]
    """The e-mail"""
    campaignId: NotRequired[str]
    """The campaign"""
    workflowId: NotRequired[str]
    """The workflow"""
    executionId: NotRequired[str]
    """The execution"""
    contactId: NotRequired[str]
    """The contact"""


class DeliveryAttempt(TypedDict):
    """One attempt at a delivery"""

    at: str
    """When the attempt ended"""
    responseStatus: Optional[int]
    """The HTTP status of your server; null if it did not answer"""
    error: Optional[str]
    """The error message; null if there was none"""
    latencyMs: int
    """Milliseconds until the answer; without an answer, until the attempt was given up"""


class WholeDelivery(TypedDict):
    """A delivery with the body of its calls, and its attempts"""

    deliveryId: str
    """The delivery"""
    webhookId: str
    """The webhook endpoint"""
    eventId: str
    """The event"""
    eventName: str
    """The name of the event"""
    sequence: int
    """An extension of this implementation: the number of the event at this endpoint"""
    status: Literal["pending", "succeeded", "failed"]
    """The status"""
    attempts: int
    """The number of attempts"""
    responseStatus: Optional[int]
    """The HTTP status of your server; null if it did not answer"""
    responseBody: Optional[str]
    """Its first 1,024 bytes"""
    error: Optional[str]
    """The error message; null if there was none"""
    latencyMs: Optional[float]
    """Milliseconds until the last answer; without an answer, until the attempt was given up"""
    nextAttemptAt: Optional[str]
    """When the next attempt happens; null if there is none"""
    replayOf: Optional[str]
    """The delivery that this one replays; null if it is not a replay"""
    createdAt: str
    """When it was created"""
    completedAt: Optional[str]
    """When it succeeded or failed for good; null until then"""
    body: Optional[str]
    """The body of each call; null once the contact that it is about was deleted"""
    tried: Sequence[DeliveryAttempt]
    """Its attempts, the first one first"""


class WebhookGap(TypedDict):
    """An event that the endpoint did not receive"""

    eventId: str
    """The event"""
    name: str
    """The event's name"""
    at: str
    """When the event was received"""
    status: Literal["pending", "failed"]
    """The status"""
    attempts: int
    """The number of attempts"""
    sequence: int
    """The number of the event at this endpoint"""
    deliveryId: str
    """The delivery"""


ReplayWebhookRequest = TypedDict(
    "ReplayWebhookRequest",
    {
        # Events received since then; inclusive
        "from": "str",
        # Events received before then; exclusive
        "to": "str",
        # Which deliveries to queue again; default `"failed"`
        "status": "NotRequired[Literal['failed', 'succeeded', 'all']]",
    },
)
"""The body of `replayWebhook`"""


class ReplayedWindow(TypedDict):
    """The result of a replay"""

    replayed: int
    """How many deliveries were queued again"""


class Judgement(TypedDict):
    """One question about a message to a person, with its answer"""

    check: Literal["project", "audience", "campaign", "restore", "contact", "workflow", "reentry", "trigger_filter", "trigger", "suppression", "subscription", "topic", "snooze", "window", "person_limits", "reputation", "limits", "hold", "domain"]
    """The question"""
    passed: bool
    """Whether the answer lets the message go"""
    asOf: Literal["judged", "now"]
    """`judged`: the facts recorded at the time; `now`: the current facts"""
    at: Optional[str]
    """The instant of the facts; null where it was not recorded"""
    facts: Mapping[str, Any]
    """The facts of the check"""


class WhyAttempts(TypedDict):
    """The attempts"""

    emailId: str
    """The e-mail"""
    count: int
    """Attempts so far"""
    lastAt: Optional[str]
    """The start of the last one"""
    nextAt: Optional[str]
    """The start of the next attempt, if the message is deferred"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    words: Optional[str]
    """The last reply of the server"""


class WhyNode(TypedDict):
    """The outcome of a `send_email` node for a person"""

    nodeId: str
    """The node of the graph"""
    at: str
    """The beginning of the hour, day or month, or the instant"""
    verdict: Literal["delivered", "bounced", "failed", "deferred", "in_doubt", "pending", "skipped", "not_in_audience", "would_send", "would_skip", "enrolled", "not_enrolled"]
    """The outcome of the message, or its expected outcome"""
    reason: Optional[str]
    """The reason of the first failed check; null if there is none"""
    detail: NotRequired[SkipDetail]
    """Present if the reason is a topic, a pause of marketing mail, a send window, or a limit for the person"""
    attempts: Optional[WhyAttempts]
    """The number of attempts"""


class Why(TypedDict):
    """Why a person got a message, or did not"""

    verdict: Literal["delivered", "bounced", "failed", "deferred", "in_doubt", "pending", "skipped", "not_in_audience", "would_send", "would_skip", "enrolled", "not_enrolled"]
    """The outcome of the message, or its expected outcome"""
    reason: Optional[str]
    """The reason of the first failed check; null if there is none"""
    detail: NotRequired[SkipDetail]
    """Present if the reason is a topic, a pause of marketing mail, a send window, or a limit for the person"""
    judgements: Sequence[Judgement]
    """In evaluation order, up to the first check that fails"""
    attempts: Optional[WhyAttempts]
    """The number of attempts"""
    language: NotRequired[Optional[str]]
    """For a campaign with variants: the language of the message, or of the one it would be; null for the default"""
    nodes: NotRequired[Sequence[WhyNode]]
    """For a workflow: its messages to the contact in the latest enrollment"""


class Live(TypedDict):
    """The process runs"""

    status: Literal["live"]
    """The status"""


class ReadyChecks(TypedDict):
    """The checks"""

    mongodb: Literal["up", "down"]
    """Whether MongoDB answers"""
    temporal: Literal["up", "down"]
    """Whether Temporal answers"""


class Ready(TypedDict):
    """The process accepts requests"""

    status: Literal["ready"]
    """The status"""
    checks: ReadyChecks
    """The checks"""


class EmailQueuedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailQueuedEvent(TypedDict):
    """A message was accepted"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.queued"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailQueuedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailScheduledEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    scheduledFor: str
    """When it is to be sent"""


class EmailScheduledEvent(TypedDict):
    """A message was accepted for a later time"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.scheduled"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailScheduledEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailSkippedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    reason: Literal["suppressed", "unsubscribed", "limit_reached", "reputation_paused", "disabled", "free_tier_exceeded", "plan_quota_exceeded"]
    """Why, as `skipped` in the response"""
    detail: NotRequired[SkipDetail]
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailSkippedEvent(TypedDict):
    """No message was created for a recipient"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.skipped"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailSkippedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailDeferredEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    reason: str
    """Why"""
    attempts: int
    """How many attempts there were"""
    nextAttemptAt: str
    """When the next attempt is"""


class EmailDeferredEvent(TypedDict):
    """A mail server refused it for now, or could not be reached; not for campaigns"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.deferred"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailDeferredEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailSentEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    response: NotRequired[str]
    """The mail server's last words"""


class EmailSentEvent(TypedDict):
    """The next mail server accepted it; immediate for a test message"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.sent"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailSentEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailDeliveredEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    response: str
    """The mail server's last words"""


class EmailDeliveredEvent(TypedDict):
    """The recipient's mail server accepted it"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.delivered"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailDeliveredEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailBouncedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    bounceType: Literal["hard", "soft", "block"]
    """The kind of bounce"""
    reason: str
    """Why"""
    late: NotRequired[Literal[True]]
    """It bounced after it was sent"""


class EmailBouncedEvent(TypedDict):
    """It was rejected permanently, immediately or later"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.bounced"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailBouncedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailFailedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    reason: str
    """Why"""


class EmailFailedEvent(TypedDict):
    """It could not be sent"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.failed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailFailedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailCancelledEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    reason: NotRequired[str]
    """Why"""


class EmailCancelledEvent(TypedDict):
    """It was cancelled before it was sent"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.cancelled"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailCancelledEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailOpenedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    first: bool
    """Whether it is the first time for this message"""
    userAgent: NotRequired[Optional[str]]
    """The user agent of the reader"""
    openedBy: NotRequired[Literal["person", "proxy", "machine"]]
    """Who did it; webhooks are not called for machines"""
    proxy: NotRequired[str]
    """The proxy: `google`, `yahoo` or `other`"""


class EmailOpenedEvent(TypedDict):
    """It was opened; at most once a minute"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.opened"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailOpenedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailClickedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    first: bool
    """Whether it is the first time for this message"""
    userAgent: NotRequired[Optional[str]]
    """The user agent of the reader"""
    clickedBy: NotRequired[Literal["person", "proxy", "machine"]]
    """Who did it; webhooks are not called for machines"""
    url: str
    """Where the link leads"""


class EmailClickedEvent(TypedDict):
    """A link in it was clicked; at most once a minute for each link"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.clicked"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailClickedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailComplainedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    feedbackType: str
    """Its name in the report"""


class EmailComplainedEvent(TypedDict):
    """The recipient reported it as spam"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.complained"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailComplainedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailUnsubscribedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: EmailSummary
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    method: Literal["link", "one_click", "mailto"]
    """How"""
    first: bool
    """Whether it is the first time through this message"""
    reason: NotRequired[str]
    """The reason that the recipient gave on the preference page"""


class EmailUnsubscribedEvent(TypedDict):
    """The recipient unsubscribed through this message"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.unsubscribed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailUnsubscribedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ReceivedEmailTagsItem(TypedDict):
    name: str
    """Its name"""
    value: str
    """The value"""


class ReceivedEmailAttachmentsItem(TypedDict):
    filename: str
    """The name of the file"""
    contentType: str
    """The media type of the file"""
    size: int
    """The size of the file in bytes"""
    contentId: NotRequired[str]
    """An extension of this implementation: the content id by which the HTML shows the image"""


class ReceivedEmailAuthentication(TypedDict):
    spf: Literal["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]
    """Whether the sending host is allowed to send for the envelope sender (RFC 7208)"""
    spfDomain: Optional[str]
    """The domain that was checked"""
    dkim: Literal["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]
    """`pass` if one signature of the whole message is valid (RFC 6376)"""
    dkimDomains: Sequence[str]
    """The domains with valid signatures"""
    dmarc: Literal["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]
    """`pass` if SPF or DKIM passes for the domain of `fromEmail` (RFC 7489)"""
    dmarcPolicy: Optional[Literal["none", "quarantine", "reject"]]
    """The policy of that domain for mail that fails"""


class ReceivedEmail(TypedDict):
    """A received message, without its body"""

    emailId: str
    """The e-mail"""
    projectId: str
    """The project that it belongs to"""
    contactId: Optional[str]
    """The contact; null where there is none"""
    to: str
    """The address that received it"""
    subject: str
    """The subject, which may have placeholders"""
    fromEmail: str
    """The sender's address"""
    fromName: Optional[str]
    """The sender's name; null where there is none"""
    replyTo: Optional[str]
    """The Reply-To address; null for the From address"""
    replyToName: NotRequired[str]
    """An extension of this implementation: the name of `replyTo`, if one was given"""
    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    type: Literal["transactional", "marketing"]
    """The type"""
    status: Literal["queued", "sending", "sent", "delivered", "opened", "clicked", "bounced", "complained", "failed", "received", "cancelled"]
    """The status"""
    templateId: Optional[str]
    """The template; null where there is none"""
    campaignId: Optional[str]
    """The campaign; null where there is none"""
    workflowId: Optional[str]
    """The workflow; null where there is none"""
    testMode: bool
    """True if it was created with a test key: nothing is delivered"""
    headers: Optional[Mapping[str, Any]]
    """Custom headers by name; null where there are none"""
    topicId: NotRequired[str]
    """An extension of this implementation: present if the message has a topic"""
    tracking: NotRequired[Tracking]
    """An extension of this implementation: present if opens or clicks are not tracked"""
    recipientType: NotRequired[Literal["to", "cc", "bcc"]]
    """An extension of this implementation: whether its recipient is in `to`, `cc` or `bcc`; only for a message with `cc` or `bcc`"""
    tags: NotRequired[Sequence[ReceivedEmailTagsItem]]
    """An extension of this implementation: its tags, if any"""
    transport: NotRequired[str]
    """An extension of this implementation: the transport of its last attempt, if the operator has several"""
    contentVersion: NotRequired[int]
    """An extension of this implementation: which version of its campaign's content it has; only for mail of campaigns"""
    attachments: Sequence[ReceivedEmailAttachmentsItem]
    """Files of the message, without their content"""
    opens: int
    """How often it was opened, at most once a minute"""
    clicks: int
    """How often links were clicked, at most once a minute for each link"""
    attempts: int
    """The number of attempts"""
    bounceType: Optional[Literal["hard", "soft", "block"]]
    """The kind of bounce; null if it did not bounce"""
    error: Optional[str]
    """The error message; null if there was none"""
    messageId: Optional[str]
    """Its Message-ID header; null until it was sent"""
    providerMessageId: Optional[str]
    """The id assigned by the next mail server; null if it assigned none"""
    latencyMs: Optional[float]
    """Duration in milliseconds; null until it is finished"""
    createdAt: str
    """When it was created"""
    scheduledFor: Optional[str]
    """When it is sent; null for immediately"""
    sentAt: Optional[str]
    """When the next mail server accepted it; null until then"""
    deliveredAt: Optional[str]
    """When the recipient's mail server accepted it; null until then"""
    openedAt: Optional[str]
    """When it was first opened; null until then"""
    clickedAt: Optional[str]
    """When a link was first clicked; null until then"""
    inReplyTo: Optional[str]
    """The Message-ID that it replies to; an extension of this implementation"""
    references: Sequence[str]
    """Message-IDs of the previous conversation, oldest first, the last 50; an extension of this implementation"""
    authentication: Optional[ReceivedEmailAuthentication]
    """The authentication results of the sender; null for messages accepted by the API; an extension of this implementation"""


class EmailReceivedEventData(TypedDict):
    """The data of the event"""

    source: Literal["transactional", "campaign", "workflow", "inbound"]
    """The source of the message"""
    email: ReceivedEmail
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    to: str
    """The address that received it"""
    fromEmail: str
    """The sender's address"""
    fromName: Optional[str]
    """The sender's name"""
    subject: str
    """Its subject"""
    attachments: int
    """How many attachments it has"""
    automatic: NotRequired[Literal[True]]
    """An automatic reply (RFC 3834)"""


class EmailReceivedEvent(TypedDict):
    """A message was received"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.received"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailReceivedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailDomainVerifiedEventData(TypedDict):
    """The data of the event"""

    domainId: str
    """The domain"""
    domain: str
    """Its name"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailDomainVerifiedEvent(TypedDict):
    """A domain was verified: mail may be sent from it"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.domain_verified"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailDomainVerifiedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailDomainFailedEventData(TypedDict):
    """The data of the event"""

    domainId: str
    """The domain"""
    domain: str
    """Its name"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailDomainFailedEvent(TypedDict):
    """A domain could not be verified, or is no longer verified"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.domain_failed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailDomainFailedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailFeedFailedEventData(TypedDict):
    """The data of the event"""

    campaignId: str
    """The recurring campaign"""
    turn: int
    """The number of the turn"""
    scheduledFor: str
    """The instant of the turn"""
    error: Optional[str]
    """The last error"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailFeedFailedEvent(TypedDict):
    """A turn of a recurring campaign was skipped: its feed could not be read for an hour"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.feed_failed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailFeedFailedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailCampaignStartedEventData(TypedDict):
    """The data of the event"""

    campaignId: str
    """The campaign"""
    name: str
    """Its name"""
    status: str
    """Its status since then"""
    audience: Optional[int]
    """Number of recipients; null until they are known, and for a recurring campaign"""
    sent: int
    """Recipients that were sent to so far"""
    skipped: int
    """Recipients that were skipped so far"""
    seriesId: NotRequired[str]
    """For the campaign of a turn: the recurring campaign"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailCampaignStartedEvent(TypedDict):
    """A campaign started: from now on it is sending"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.campaign_started"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailCampaignStartedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailCampaignHeldEventData(TypedDict):
    """The data of the event"""

    campaignId: str
    """The campaign"""
    name: str
    """Its name"""
    status: str
    """Its status since then"""
    audience: Optional[int]
    """Number of recipients; null until they are known, and for a recurring campaign"""
    sent: int
    """Recipients that were sent to so far"""
    skipped: int
    """Recipients that were skipped so far"""
    seriesId: NotRequired[str]
    """For the campaign of a turn: the recurring campaign"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    reason: str
    """Why, as `heldReason` of the campaign"""


class EmailCampaignHeldEvent(TypedDict):
    """A sending campaign is on hold"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.campaign_held"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailCampaignHeldEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailCampaignSentEventData(TypedDict):
    """The data of the event"""

    campaignId: str
    """The campaign"""
    name: str
    """Its name"""
    status: str
    """Its status since then"""
    audience: Optional[int]
    """Number of recipients; null until they are known, and for a recurring campaign"""
    sent: int
    """Recipients that were sent to so far"""
    skipped: int
    """Recipients that were skipped so far"""
    seriesId: NotRequired[str]
    """For the campaign of a turn: the recurring campaign"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailCampaignSentEvent(TypedDict):
    """A campaign was sent to everybody in its audience"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.campaign_sent"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailCampaignSentEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class EmailCampaignCancelledEventData(TypedDict):
    """The data of the event"""

    campaignId: str
    """The campaign"""
    name: str
    """Its name"""
    status: str
    """Its status since then"""
    audience: Optional[int]
    """Number of recipients; null until they are known, and for a recurring campaign"""
    sent: int
    """Recipients that were sent to so far"""
    skipped: int
    """Recipients that were skipped so far"""
    seriesId: NotRequired[str]
    """For the campaign of a turn: the recurring campaign"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class EmailCampaignCancelledEvent(TypedDict):
    """A campaign was cancelled"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["email.campaign_cancelled"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: EmailCampaignCancelledEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactCreatedEventData(TypedDict):
    """The data of the event"""

    source: Literal["api", "import", "send", "event", "inbound", "automation", "form", "opt_in"]
    """How the contact was created or changed"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactCreatedEvent(TypedDict):
    """A contact was created"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.created"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactCreatedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactUpdatedEventData(TypedDict):
    """The data of the event"""

    source: Literal["api", "import", "send", "event", "inbound", "automation", "form", "opt_in"]
    """How the contact was created or changed"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    changed: Sequence[str]
    """The fields that changed"""


class ContactUpdatedEvent(TypedDict):
    """A field of a contact changed"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.updated"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactUpdatedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactDeletedEventData(TypedDict):
    """The data of the event"""

    source: Literal["api", "import", "send", "event", "inbound", "automation", "form", "opt_in"]
    """How the contact was created or changed"""
    contactId: str
    """Its former id"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactDeletedEvent(TypedDict):
    """A contact was deleted"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.deleted"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactDeletedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactSubscribedEventData(TypedDict):
    """The data of the event"""

    source: Literal["api", "import", "send", "event", "inbound", "automation", "form", "opt_in"]
    """How the contact was created or changed"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactSubscribedEvent(TypedDict):
    """A contact became subscribed"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.subscribed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactSubscribedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactUnsubscribedEventData(TypedDict):
    """The data of the event"""

    source: NotRequired[Literal["api", "import", "send", "event", "inbound", "automation", "form", "opt_in"]]
    """How the contact was created or changed"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactUnsubscribedEvent(TypedDict):
    """A contact became unsubscribed"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.unsubscribed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactUnsubscribedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactSuppressedEventData(TypedDict):
    """The data of the event"""

    suppressionId: str
    """The record"""
    reason: Literal["hard_bounce", "complaint", "manual"]
    """Why the address was suppressed"""
    source: Literal["smtp", "dsn", "arf", "link", "one_click", "mailto", "api", "import", "provider"]
    """The source of the record"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactSuppressedEvent(TypedDict):
    """An address was suppressed: it gets no more mail"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.suppressed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactSuppressedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactUnsuppressedEventData(TypedDict):
    """The data of the event"""

    suppressionId: str
    """The record"""
    reason: Literal["hard_bounce", "complaint", "manual"]
    """Why the address was suppressed"""
    source: Literal["smtp", "dsn", "arf", "link", "one_click", "mailto", "api", "import", "provider"]
    """The source of the record"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactUnsuppressedEvent(TypedDict):
    """An address is no longer suppressed"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.unsuppressed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactUnsuppressedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactTopicSubscribedEventData(TypedDict):
    """The data of the event"""

    topicId: str
    """The topic"""
    key: str
    """The key of the topic"""
    source: Literal["api", "import", "one_click", "link", "mailto", "preferences", "form", "opt_in"]
    """How the contact chose it"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactTopicSubscribedEvent(TypedDict):
    """A contact gets the mail of a topic from now on"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.topic_subscribed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactTopicSubscribedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactTopicUnsubscribedEventData(TypedDict):
    """The data of the event"""

    topicId: str
    """The topic"""
    key: str
    """The key of the topic"""
    source: Literal["api", "import", "one_click", "link", "mailto", "preferences", "form", "opt_in"]
    """How the contact chose it"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactTopicUnsubscribedEvent(TypedDict):
    """A contact or an address gets no more mail of a topic"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.topic_unsubscribed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactTopicUnsubscribedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactSnoozedEventData(TypedDict):
    """The data of the event"""

    source: Literal["preferences", "time"]
    """Who caused it: the contact, on the preference page, or the clock"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""
    until: str
    """When the pause ends"""


class ContactSnoozedEvent(TypedDict):
    """A contact paused marketing mail"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.snoozed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactSnoozedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class ContactResumedEventData(TypedDict):
    """The data of the event"""

    source: Literal["preferences", "time"]
    """Who caused it: the contact, on the preference page, or the clock"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class ContactResumedEvent(TypedDict):
    """The pause of a contact ended: at its time, or because the contact ended it"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["contact.resumed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: ContactResumedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class SegmentEnteredEventData(TypedDict):
    """The data of the event"""

    segmentId: str
    """The segment"""
    name: str
    """The segment's name"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class SegmentEnteredEvent(TypedDict):
    """A contact entered a segment"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["segment.entered"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: SegmentEnteredEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class SegmentExitedEventData(TypedDict):
    """The data of the event"""

    segmentId: str
    """The segment"""
    name: str
    """The segment's name"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class SegmentExitedEvent(TypedDict):
    """A contact left a segment"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["segment.exited"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: SegmentExitedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class WorkflowEnteredEventData(TypedDict):
    """The data of the event"""

    workflowId: str
    """The workflow"""
    executionId: str
    """The execution"""
    reason: NotRequired[str]
    """Why"""
    error: NotRequired[str]
    """The error"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class WorkflowEnteredEvent(TypedDict):
    """A contact entered an automation"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["workflow.entered"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: WorkflowEnteredEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class WorkflowCompletedEventData(TypedDict):
    """The data of the event"""

    workflowId: str
    """The workflow"""
    executionId: str
    """The execution"""
    reason: NotRequired[str]
    """Why"""
    error: NotRequired[str]
    """The error"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class WorkflowCompletedEvent(TypedDict):
    """An execution completed"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["workflow.completed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: WorkflowCompletedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class WorkflowExitedEventData(TypedDict):
    """The data of the event"""

    workflowId: str
    """The workflow"""
    executionId: str
    """The execution"""
    reason: NotRequired[str]
    """Why"""
    error: NotRequired[str]
    """The error"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class WorkflowExitedEvent(TypedDict):
    """An execution ended at an exit"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["workflow.exited"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: WorkflowExitedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class WorkflowFailedEventData(TypedDict):
    """The data of the event"""

    workflowId: str
    """The workflow"""
    executionId: str
    """The execution"""
    reason: NotRequired[str]
    """Why"""
    error: NotRequired[str]
    """The error"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class WorkflowFailedEvent(TypedDict):
    """An execution failed"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["workflow.failed"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: WorkflowFailedEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class WorkflowCancelledEventData(TypedDict):
    """The data of the event"""

    workflowId: str
    """The workflow"""
    executionId: str
    """The execution"""
    reason: NotRequired[str]
    """Why"""
    error: NotRequired[str]
    """The error"""
    contact: NotRequired[Contact]
    """The contact, if the event has one"""
    testMode: NotRequired[Literal[True]]
    """Only for test keys"""


class WorkflowCancelledEvent(TypedDict):
    """An execution was cancelled"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: Literal["workflow.cancelled"]
    """The event's name"""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: WorkflowCancelledEventData
    """The data of the event"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class OwnEvent(TypedDict):
    """Your own event"""

    id: str
    """The event's id: the same over attempts and replays"""
    type: str
    """Your own event name: it does not begin with email., contact., segment. or workflow."""
    createdAt: str
    """When it happened"""
    projectId: str
    """The project that it belongs to"""
    testMode: bool
    """Whether it was caused by a test key"""
    data: Mapping[str, Any]
    """The event's `data` as you gave it, and `contact`"""
    truncated: NotRequired[Sequence[str]]
    """Members that were cut to keep the payload within 64 KiB"""


class Error(TypedDict):
    """The body of every error response"""

    success: Literal[False]
    """Always false"""
    error: str
    """Text for people; the wording may change"""
    code: Literal["ambiguous_api_key", "unauthorized", "forbidden", "approval_needed", "not_found", "method_not_allowed", "invalid_state", "conflict", "in_use", "reentry_refused", "filter_not_matched", "limit_exceeded", "idempotency_key_reused", "idempotency_in_progress", "payments_disabled", "payload_too_large", "unsupported_media_type", "validation_error", "send_failed", "rate_limited", "limit_reached", "internal_error", "not_implemented", "unavailable"]
    """For programs: what failed"""
    details: NotRequired[Sequence[ErrorDetail]]
    """Every fault; only on validation_error and send_failed"""


WebhookEvent = Union["EmailQueuedEvent", "EmailScheduledEvent", "EmailSkippedEvent", "EmailDeferredEvent", "EmailSentEvent", "EmailDeliveredEvent", "EmailBouncedEvent", "EmailFailedEvent", "EmailCancelledEvent", "EmailOpenedEvent", "EmailClickedEvent", "EmailComplainedEvent", "EmailUnsubscribedEvent", "EmailReceivedEvent", "EmailDomainVerifiedEvent", "EmailDomainFailedEvent", "EmailFeedFailedEvent", "EmailCampaignStartedEvent", "EmailCampaignHeldEvent", "EmailCampaignSentEvent", "EmailCampaignCancelledEvent", "ContactCreatedEvent", "ContactUpdatedEvent", "ContactDeletedEvent", "ContactSubscribedEvent", "ContactUnsubscribedEvent", "ContactSuppressedEvent", "ContactUnsuppressedEvent", "ContactTopicSubscribedEvent", "ContactTopicUnsubscribedEvent", "ContactSnoozedEvent", "ContactResumedEvent", "SegmentEnteredEvent", "SegmentExitedEvent", "WorkflowEnteredEvent", "WorkflowCompletedEvent", "WorkflowExitedEvent", "WorkflowFailedEvent", "WorkflowCancelledEvent", "OwnEvent"]
"""What a webhook endpoint receives"""


ErrorCode = Literal["ambiguous_api_key", "unauthorized", "forbidden", "approval_needed", "not_found", "method_not_allowed", "invalid_state", "conflict", "in_use", "reentry_refused", "filter_not_matched", "limit_exceeded", "idempotency_key_reused", "idempotency_in_progress", "payments_disabled", "payload_too_large", "unsupported_media_type", "validation_error", "send_failed", "rate_limited", "limit_reached", "internal_error", "not_implemented", "unavailable"]
"""Every code that a failure may have"""
