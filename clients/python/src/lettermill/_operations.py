# Made from docs/openapi.json by `npm run docs`.
"""One method for each operation of the API."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Union, cast

from ._pages import Pages
from ._requests import NOT_GIVEN, NotGiven, Request, quoted
from ._transport import Transport
from .types import (
    AddedMembers,
    AddressVerdict,
    Approval,
    ApprovalLink,
    AudienceBreakdown,
    AudienceCount,
    AuditEntry,
    BatchToApprove,
    Billing,
    BulkResult,
    Campaign,
    CampaignCertificate,
    CampaignCoverage,
    CampaignDetail,
    CampaignFeed,
    CampaignLink,
    CampaignPlan,
    CampaignPreflight,
    CampaignRecipient,
    CampaignSchedule,
    CampaignTimeline,
    CampaignToApprove,
    CampaignTurn,
    CampaignVariantInput,
    CancelledEmail,
    CancelledExecutions,
    ChangeContactTopicsRequestTopicsItem,
    CheckWorkflowRequestGraph,
    Checkout,
    ConditionTree,
    ConsentEntry,
    ConsentVerification,
    Contact,
    ContactField,
    ContactTopics,
    ContentVariantInput,
    CreateFormRequestConfirmation,
    CreateFormRequestFieldsItem,
    CreateWorkflowRequestGraph,
    CreatedKey,
    Deleted,
    Delivery,
    Domain,
    DomainReports,
    Email,
    EmailSummary,
    EnrolledExecution,
    Erasure,
    Event,
    EventFeed,
    EventName,
    EventStats,
    EventUsage,
    Execution,
    ExecutionDetail,
    FeedOutlook,
    FieldUsage,
    FieldValues,
    File,
    FileDetail,
    Form,
    FormWithFigures,
    FormerMember,
    FrequencyCap,
    GraphFaults,
    Health,
    HeldData,
    ImportJob,
    ImportSummary,
    ImportSuppressionsRequestSuppressionsItem,
    ImportToApprove,
    ImportedSuppressions,
    InboundMessage,
    IngestEventRequestConsent,
    IngestedEvent,
    Invitation,
    Key,
    Live,
    Me,
    Member,
    MemberRole,
    Message,
    MessageAttachmentsItem,
    MessageBcc,
    MessageBccItem,
    MessageCc,
    MessageCcItem,
    MessageTagsItem,
    MessageTo,
    MessageToItem,
    Nothing,
    PausedCampaign,
    Providers,
    Ready,
    ReceivedMessage,
    RegisteredWebhook,
    Rehearsal,
    RehearseWorkflowRequestContact,
    RehearseWorkflowRequestEventsItem,
    RehearseWorkflowRequestWebhooksValue,
    RemovedEvents,
    RemovedField,
    RemovedMember,
    RenderedBlocks,
    ReplayedWindow,
    RequestedApproval,
    RolloutStep,
    SavedBlock,
    Segment,
    SegmentMember,
    SegmentPreview,
    SendBatchResponse,
    SendOnce,
    SendResponse,
    SendWindows,
    Settings,
    SmtpSession,
    StartedCampaign,
    StartedImport,
    Stats,
    Suppression,
    SuppressionState,
    SuppressionToApprove,
    Template,
    TemplatePreview,
    TemplateVersion,
    TestSent,
    Throttle,
    TimelineEntry,
    Topic,
    TopicWithFigures,
    TrackingWish,
    Translations,
    Transports,
    UpcomingEntry,
    UpdateFormRequestConfirmation,
    UpdateFormRequestFieldsItem,
    UpdateSettingsRequestBrand,
    UpdateSettingsRequestConsent,
    UpdateSettingsRequestTracking,
    UpdateWorkflowRequestGraph,
    UpsertContactRequestConsent,
    UpsertedContact,
    Webhook,
    WebhookGap,
    WholeDelivery,
    Why,
    Workflow,
    WorkflowCertificate,
    WorkflowStats,
    WorkflowTimeline,
    WorkflowToApprove,
)


class Operations:
    _transport: Transport

    def send(
        self,
        *,
        to: Union[str, MessageTo, Sequence[Union[str, MessageToItem]]],
        cc: Union[str, MessageCc, Sequence[Union[str, MessageCcItem]], NotGiven] = NOT_GIVEN,
        bcc: Union[str, MessageBcc, Sequence[Union[str, MessageBccItem]], NotGiven] = NOT_GIVEN,
        subject: Union[str, NotGiven] = NOT_GIVEN,
        html: Union[str, NotGiven] = NOT_GIVEN,
        text: Union[str, NotGiven] = NOT_GIVEN,
        template_id: Union[str, NotGiven] = NOT_GIVEN,
        topic_id: Union[str, NotGiven] = NOT_GIVEN,
        variables: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        locale: Union[str, NotGiven] = NOT_GIVEN,
        from_: Union[str, NotGiven] = NOT_GIVEN,
        from_name: Union[str, NotGiven] = NOT_GIVEN,
        reply_to: Union[str, NotGiven] = NOT_GIVEN,
        headers: Union[Mapping[str, str], NotGiven] = NOT_GIVEN,
        attachments: Union[Sequence[MessageAttachmentsItem], NotGiven] = NOT_GIVEN,
        send_at: Union[str, NotGiven] = NOT_GIVEN,
        create_contact: Union[bool, NotGiven] = NOT_GIVEN,
        type: Union[Literal["transactional", "marketing"], NotGiven] = NOT_GIVEN,
        tags: Union[Sequence[MessageTagsItem], NotGiven] = NOT_GIVEN,
        send_once: Union[SendOnce, NotGiven] = NOT_GIVEN,
        throttle: Union[Throttle, NotGiven] = NOT_GIVEN,
        cap: Union[Literal["ignore"], NotGiven] = NOT_GIVEN,
        tracking: Union[TrackingWish, NotGiven] = NOT_GIVEN,
        retain_content: Union[bool, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SendResponse:
        """Send one message, or one to each of up to 50 recipients. A repeated `Idempotency-Key` with the same body replays the stored response (`X-Idempotent-Replay: true`). A recipient that is suppressed, unsubscribed or over a limit is skipped, not failed.

        Args:
            to: An address, {email, name}, or an array of them; each recipient gets a separate message, unless there is `cc` or `bcc`
            cc: An extension of this implementation: recipients of a visible copy
            bcc: An extension of this implementation: recipients of a hidden copy
            subject: Placeholders allowed; required unless a template supplies one
            html: HTML with placeholders
            text: Plain text with placeholders; generated from `html` if omitted
            template_id: A stored template instead of html and text
            topic_id: An extension of this implementation: the topic of a `marketing` message. Recipients who are not in it are skipped as `unsubscribed`. Default: that of the template
            variables: Values for placeholders; they win over contact fields of the same name
            locale: An extension of this implementation: the language of the recipients (BCP 47), which chooses the variant of the template. Default: the `locale` of each contact
            from_: An address; an extension of this implementation accepts a name before it: `Ada Lovelace <ada@example.com>`. Default: the template's, else hello@ the first verified domain
            from_name: The sender's name
            reply_to: An address; an extension of this implementation accepts a name before it: `Ada Lovelace <ada@example.com>`
            headers: Custom headers by name
            attachments: Files; a message with attachments costs two credits
            send_at: 1 second to 365 days ahead
            create_contact: Whether an unknown address becomes a contact; default `true`
            type: Whether unsubscribed contacts get it: `marketing` skips them and adds an unsubscribe link
            tags: An extension of this implementation: up to 10 names with values, to find and count messages by
            send_once: An extension of this implementation: each recipient gets a message of the key once
            throttle: An extension of this implementation: each recipient gets at most one message of the key within a time
            cap: An extension of this implementation: `ignore` exempts the message from frequency caps, which do not count it either. Requires a key with scope `full`
            tracking: An extension of this implementation: the tracking of this message. Default: that of the template, then that of the project for its type, then opens and clicks
            retain_content: An extension of this implementation. `false`: subject, bodies, values, headers and attachments are deleted when the message is delivered, failed or cancelled; default `true`
        """
        return cast("SendResponse", self._transport.call(Request("POST", "/v1/send", body={"to": to, "cc": cc, "bcc": bcc, "subject": subject, "html": html, "text": text, "templateId": template_id, "topicId": topic_id, "variables": variables, "locale": locale, "from": from_, "fromName": from_name, "replyTo": reply_to, "headers": headers, "attachments": attachments, "sendAt": send_at, "createContact": create_contact, "type": type, "tags": tags, "sendOnce": send_once, "throttle": throttle, "cap": cap, "tracking": tracking, "retainContent": retain_content}, keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def send_batch(
        self,
        *,
        messages: Sequence[Message],
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SendBatchResponse:
        """Send up to 1,000 messages. Each message succeeds or fails separately: check every entry of `results`, even if the status is 200.

        Args:
            messages: The messages; each succeeds or fails separately
        """
        return cast("SendBatchResponse", self._transport.call(Request("POST", "/v1/send/batch", body={"messages": messages}, keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def ingest_event(
        self,
        *,
        name: str,
        email: Union[str, NotGiven] = NOT_GIVEN,
        contact_id: Union[str, NotGiven] = NOT_GIVEN,
        data: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        create_contact: Union[bool, NotGiven] = NOT_GIVEN,
        occurred_at: Union[str, NotGiven] = NOT_GIVEN,
        opt_in: Union[Literal["double"], NotGiven] = NOT_GIVEN,
        topics: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        consent: Union[IngestEventRequestConsent, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> IngestedEvent:
        """Record a product event and start the workflows that it triggers. The only operation that accepts a public key; with it, only `name`, `email` and `data` are allowed. `triggered` lists what was dispatched: enrollment happens after the response and can be refused. With `optIn: "double"` (an extension of this implementation), the person is asked to confirm, and no contact is created until they do.

        Args:
            name: A name of your own: up to 128 characters of letters, digits and `_ . : / -`
            email: The e-mail address
            contact_id: An opaque id
            data: Custom fields, or the data of an event: any JSON object
            create_contact: Default true
            occurred_at: Becomes createdAt; waits and triggers use the time of receipt
            opt_in: An extension of this implementation: asks the person by mail. Nothing changes until they confirm
            topics: An extension of this implementation, with `optIn`: topics that the person joins by confirming, all or none
            consent: An extension of this implementation, with `optIn`: evidence for the ledger of consent
        """
        return cast("IngestedEvent", self._transport.call(Request("POST", "/v1/events", body={"name": name, "email": email, "contactId": contact_id, "data": data, "createContact": create_contact, "occurredAt": occurred_at, "optIn": opt_in, "topics": topics, "consent": consent}, keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def list_events(
        self,
        *,
        name: Optional[str] = None,
        contact_id: Optional[str] = None,
        email: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Event]:
        """List events, newest first.

        Args:
            name: Its name
            contact_id: An opaque id
            email: The e-mail address
            from_: Inclusive
            to: Exclusive
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/events", query={"name": name, "contactId": contact_id, "email": email, "from": from_, "to": to, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def list_event_names(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[EventName]:
        """List the names of all events, last seen first. With `limit` or `cursor`, pages are sorted by name; within a page, the last seen comes first.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/events/names", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def get_event_stats(
        self,
        *,
        name: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EventStats:
        """Count events by hour or day.

        Args:
            name: Its name
            from_: Inclusive; default 30 days, or 48 hours by the hour, before the end
            to: Exclusive; default the end of the current hour or day
            interval: UTC; at most 400 buckets
        """
        return cast("EventStats", self._transport.call(Request("GET", "/v1/events/stats", query={"name": name, "from": from_, "to": to, "interval": interval}, timeout=timeout, max_retries=max_retries), "data"))

    def get_event_usage(
        self,
        name: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EventUsage:
        """Count an event, and list what refers to it."""
        return cast("EventUsage", self._transport.call(Request("GET", f"/v1/events/{quoted(name)}/usage", timeout=timeout, max_retries=max_retries), "data"))

    def delete_events(
        self,
        name: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RemovedEvents:
        """Delete all events of one of the caller's names."""
        return cast("RemovedEvents", self._transport.call(Request("DELETE", f"/v1/events/{quoted(name)}", timeout=timeout, max_retries=max_retries), "data"))

    def list_contacts(
        self,
        *,
        search: Optional[str] = None,
        subscribed: Optional[bool] = None,
        segment_id: Optional[str] = None,
        order: Optional[Literal["newest", "oldest"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Contact]:
        """List contacts, newest first by default. `search` finds a substring of email, first or last name, case-insensitive; it is not a pattern.

        Args:
            search: Text to search for, case-insensitive; not a pattern
            subscribed: Whether it is subscribed to marketing mail
            segment_id: An opaque id
            order: An extension of this implementation: which contacts come first; default `newest`
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/contacts", query={"search": search, "subscribed": subscribed, "segmentId": segment_id, "order": order, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def upsert_contact(
        self,
        *,
        email: str,
        first_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        last_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        subscribed: Union[bool, NotGiven] = NOT_GIVEN,
        data: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        locale: Union[Optional[str], NotGiven] = NOT_GIVEN,
        timezone: Union[Optional[str], NotGiven] = NOT_GIVEN,
        opt_in: Union[Literal["double"], NotGiven] = NOT_GIVEN,
        topics: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        consent: Union[UpsertContactRequestConsent, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> UpsertedContact:
        """Create or update a contact. 201 if it was created, 200 if it existed. Absent fields keep their value. With `optIn: "double"` (an extension of this implementation), 202 once the person is asked to confirm. The contact exists only after they do.

        Args:
            email: The e-mail address
            first_name: First name; null where it is not known
            last_name: Last name; null where it is not known
            subscribed: Whether it is subscribed to marketing mail
            data: Merged key by key; a null value removes the key, null clears all
            locale: Language and region (BCP 47), e.g. `de-AT`
            timezone: An extension of this implementation: the time zone of the person (IANA)
            opt_in: An extension of this implementation: asks the person by mail. Nothing changes until they confirm
            topics: An extension of this implementation, with `optIn`: topics that the person joins by confirming, all or none
            consent: An extension of this implementation, with `optIn`: evidence for the ledger of consent
        """
        return cast("UpsertedContact", self._transport.call(Request("POST", "/v1/contacts", body={"email": email, "firstName": first_name, "lastName": last_name, "subscribed": subscribed, "data": data, "locale": locale, "timezone": timezone, "optIn": opt_in, "topics": topics, "consent": consent}, timeout=timeout, max_retries=max_retries), "data"))

    def change_contacts(
        self,
        *,
        action: Literal["subscribe", "unsubscribe", "delete", "suppress"],
        contact_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        emails: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        reason: Union[Literal["hard_bounce", "complaint", "unsubscribe", "manual"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> BulkResult:
        """Subscribe, unsubscribe, delete or suppress up to 1,000 contacts.

        Args:
            action: The action for each contact
            contact_ids: The contacts, by id; or give `emails`
            emails: The contacts, by address; or give `contactIds`
            reason: An extension of this implementation, with `suppress`: why the addresses are suppressed. Default: `manual`
        """
        return cast("BulkResult", self._transport.call(Request("POST", "/v1/contacts/bulk", body={"action": action, "contactIds": contact_ids, "emails": emails, "reason": reason}, timeout=timeout, max_retries=max_retries), "data"))

    def import_contacts(
        self,
        file: Union[str, bytes],
        /,
        *,
        segment_id: Optional[str] = None,
        columns: Optional[str] = None,
        trigger: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> StartedImport:
        """Import contacts from CSV, as a background job. A `multipart/form-data` body with a part `file`, or a `text/csv` body. Columns are mapped by their headers; if an email appears twice, the last row wins. For an `Idempotency-Key` the same body is the same bytes of the file with the same query.

        Args:
            segment_id: A static segment that the imported contacts are added to
            columns: An extension of this implementation: the target of each column, in order, instead of the headers, separated by commas; `-` skips a column
            trigger: Whether contact events of the import can enroll contacts in workflows
        """
        return cast("StartedImport", self._transport.call(Request("POST", "/v1/contacts/import", query={"segmentId": segment_id, "columns": columns, "trigger": trigger}, file=file, file_type="text/csv", keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def list_imports(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[ImportSummary]:
        """List imports, newest first. An extension of this implementation. Imports of the last 30 days, each with its progress; for rejected rows see `GET /v1/contacts/import/{id}`.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/contacts/import", query={"limit": limit}, timeout=timeout, max_retries=max_retries))

    def get_import(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ImportJob:
        """Get the progress of an import."""
        return cast("ImportJob", self._transport.call(Request("GET", f"/v1/contacts/import/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def export_contacts(
        self,
        *,
        search: Optional[str] = None,
        subscribed: Optional[bool] = None,
        segment_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Export contacts as CSV. Importing the file again changes nothing.

        Args:
            search: Text to search for, case-insensitive; not a pattern
            subscribed: Whether it is subscribed to marketing mail
            segment_id: An opaque id
        """
        return cast("str", self._transport.call(Request("GET", "/v1/contacts/export", query={"search": search, "subscribed": subscribed, "segmentId": segment_id}, timeout=timeout, max_retries=max_retries), "text"))

    def list_contact_fields(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[ContactField]:
        """Discover the custom fields in use.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/contacts/fields", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def list_contact_field_values(
        self,
        field: str,
        /,
        *,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> FieldValues:
        """List the values of a field, most frequent first.

        Args:
            limit: The maximum number of rows in a response
            search: Text to search for, case-insensitive; not a pattern
        """
        return cast("FieldValues", self._transport.call(Request("GET", f"/v1/contacts/fields/{quoted(field)}/values", query={"limit": limit, "search": search}, timeout=timeout, max_retries=max_retries), "data"))

    def get_contact_field_usage(
        self,
        field: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> FieldUsage:
        """Count the contacts with a field, and list what refers to it."""
        return cast("FieldUsage", self._transport.call(Request("GET", f"/v1/contacts/fields/{quoted(field)}/usage", timeout=timeout, max_retries=max_retries), "data"))

    def delete_contact_field(
        self,
        field: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RemovedField:
        """Remove a field from every contact permanently."""
        return cast("RemovedField", self._transport.call(Request("DELETE", f"/v1/contacts/fields/{quoted(field)}", timeout=timeout, max_retries=max_retries), "data"))

    def get_contact(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Contact:
        """Get a contact by id or address."""
        return cast("Contact", self._transport.call(Request("GET", f"/v1/contacts/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def delete_contact(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a contact. Its memberships and running executions are deleted too. Its e-mails and events remain without personal data: see `GET /v1/contacts/{id}/erasure`."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/contacts/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def get_contact_timeline(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[TimelineEntry]:
        """Get the timeline of a contact, newest first.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/contacts/{quoted(id)}/timeline", query={"limit": limit}, timeout=timeout, max_retries=max_retries))

    def list_emails(
        self,
        *,
        status: Optional[Literal["queued", "sending", "sent", "delivered", "opened", "clicked", "bounced", "complained", "failed", "received", "cancelled", "scheduled"]] = None,
        source: Optional[Literal["transactional", "campaign", "workflow", "inbound"]] = None,
        campaign_id: Optional[str] = None,
        workflow_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        to: Optional[str] = None,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        tag: Optional[str] = None,
        until: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[EmailSummary]:
        """List e-mails, newest first. With `status`, `source` or `subject`, a page examines up to 50,000 e-mails if no index applies; with `to` or `contactId` also for `campaignId`, `workflowId` and `tag`; with `status=scheduled` also for `from` and `until`. It can then have fewer rows than `limit`, even none; `nextCursor` continues where it stopped. `nextCursor` is null only at the end.

        Args:
            status: `scheduled`: queued for a future time, soonest first
            source: The source of the message
            campaign_id: An opaque id
            workflow_id: An opaque id
            contact_id: An opaque id
            to: The recipient
            from_: Created at or after this instant
            subject: An extension of this implementation: a substring of the subject as the message shows it, case-insensitive; not a pattern
            tag: An extension of this implementation: only mail with this tag, as `name:value`
            until: Created before this instant
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/emails", query={"status": status, "source": source, "campaignId": campaign_id, "workflowId": workflow_id, "contactId": contact_id, "to": to, "from": from_, "subject": subject, "tag": tag, "until": until, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def get_email(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Email:
        """Get an e-mail with its rendered content. In links that act for the recipient, the token is replaced by `…`. A key with the scope `sending` does not see the content: the response has `contentHidden`."""
        return cast("Email", self._transport.call(Request("GET", f"/v1/emails/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def cancel_email(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CancelledEmail:
        """Cancel a scheduled e-mail. Either the e-mail is cancelled and never sent, or the response is 409 and it is sent."""
        return cast("CancelledEmail", self._transport.call(Request("DELETE", f"/v1/emails/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def reschedule_email(
        self,
        id: str,
        /,
        *,
        send_at: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EmailSummary:
        """Reschedule a scheduled e-mail. An extension of this implementation. The new time can be earlier or later. Either the e-mail is sent at the new time, or the response is 409 and it is sent at its previous time or was cancelled.

        Args:
            send_at: When it is sent: 1 second to 365 days ahead
        """
        return cast("EmailSummary", self._transport.call(Request("PATCH", f"/v1/emails/{quoted(id)}", body={"sendAt": send_at}, timeout=timeout, max_retries=max_retries), "data"))

    def list_templates(
        self,
        *,
        type: Optional[Literal["transactional", "marketing"]] = None,
        search: Optional[str] = None,
        archived: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Template]:
        """List templates.

        Args:
            type: The type
            search: Text to search for, case-insensitive; not a pattern
            archived: An extension of this implementation: `false` leaves archived ones out, `true` lists only those; by default all are listed
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/templates", query={"type": type, "search": search, "archived": archived, "limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_template(
        self,
        *,
        name: str,
        subject: str,
        body: str,
        from_email: str,
        from_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        body_blocks: Union[Optional[Union[str, Sequence[Any], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        tracking: Union[Optional[TrackingWish], NotGiven] = NOT_GIVEN,
        topic_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        variants: Union[Optional[Mapping[str, ContentVariantInput]], NotGiven] = NOT_GIVEN,
        type: Union[Literal["transactional", "marketing"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Create a template.

        Args:
            name: Its name
            subject: The subject, which may have placeholders
            body: HTML with placeholders
            from_email: The sender's address
            from_name: The sender's name; null where there is none
            body_blocks: An extension of this implementation: the visual editor's design: stored as given, never sent. Null for none
            tracking: An extension of this implementation: the tracking of its messages, unless a send overrides it; null uses the default of the project
            topic_id: An extension of this implementation: the topic of its messages, unless a send names another. Only of a `marketing` template; null for none
            variants: An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none
            type: The type; default `"transactional"`
        """
        return cast("Template", self._transport.call(Request("POST", "/v1/templates", body={"name": name, "subject": subject, "body": body, "fromEmail": from_email, "fromName": from_name, "bodyBlocks": body_blocks, "tracking": tracking, "topicId": topic_id, "variants": variants, "type": type}, timeout=timeout, max_retries=max_retries), "data"))

    def get_template(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Get a template."""
        return cast("Template", self._transport.call(Request("GET", f"/v1/templates/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_template(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        subject: Union[str, NotGiven] = NOT_GIVEN,
        body: Union[str, NotGiven] = NOT_GIVEN,
        from_email: Union[str, NotGiven] = NOT_GIVEN,
        from_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        body_blocks: Union[Optional[Union[str, Sequence[Any], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        tracking: Union[Optional[TrackingWish], NotGiven] = NOT_GIVEN,
        topic_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        variants: Union[Optional[Mapping[str, Optional[ContentVariantInput]]], NotGiven] = NOT_GIVEN,
        type: Union[Literal["transactional", "marketing"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Update a template. A change to subject, body, variants, fromName or fromEmail bumps `version`; name or type alone, or equal content, does not.

        Args:
            name: Its name
            subject: The subject, which may have placeholders
            body: HTML with placeholders
            from_email: The sender's address
            from_name: The sender's name; null where there is none
            body_blocks: An extension of this implementation: the visual editor's design: stored as given, never sent. Null for none
            tracking: An extension of this implementation: the tracking of its messages, unless a send overrides it; null uses the default of the project
            topic_id: An extension of this implementation: the topic of its messages, unless a send names another. Only of a `marketing` template; null for none
            variants: An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default. Languages that are not given stay; null removes one, or all
            type: The type
        """
        return cast("Template", self._transport.call(Request("PATCH", f"/v1/templates/{quoted(id)}", body={"name": name, "subject": subject, "body": body, "fromEmail": from_email, "fromName": from_name, "bodyBlocks": body_blocks, "tracking": tracking, "topicId": topic_id, "variants": variants, "type": type}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_template(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a template that no active workflow uses."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/templates/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def list_template_versions(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[TemplateVersion]:
        """List the versions of a template, newest first.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/templates/{quoted(id)}/versions", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def duplicate_template(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Duplicate a template."""
        return cast("Template", self._transport.call(Request("POST", f"/v1/templates/{quoted(id)}/duplicate", timeout=timeout, max_retries=max_retries), "data"))

    def roll_back_template(
        self,
        id: str,
        /,
        *,
        version: int,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Publish the content of a stored version as the newest version.

        Args:
            version: The version to roll back to
        """
        return cast("Template", self._transport.call(Request("POST", f"/v1/templates/{quoted(id)}/rollback", body={"version": version}, timeout=timeout, max_retries=max_retries), "data"))

    def test_send_template(
        self,
        id: str,
        /,
        *,
        to: str,
        variables: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        language: Union[Literal["default", "all"], str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestSent:
        """Send a template to one address, its subject prefixed with [Test].

        Args:
            to: The recipient of the test
            variables: Values for placeholders; they win over contact fields of the same name
            language: An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets
        """
        return cast("TestSent", self._transport.call(Request("POST", f"/v1/templates/{quoted(id)}/test-send", body={"to": to, "variables": variables, "language": language}, timeout=timeout, max_retries=max_retries), "data"))

    def list_domains(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Domain]:
        """List domains.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/domains", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_domain(
        self,
        *,
        domain: str,
        dkim: Union[Literal["rsa2048"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Domain:
        """Add a sending domain. The domain gets new DKIM keys; `dnsRecords` lists what to publish. It is checked every five minutes for 72 hours.

        Args:
            domain: An internationalised name is stored in its ASCII form
            dkim: The kind of DKIM key; default `"rsa2048"`
        """
        return cast("Domain", self._transport.call(Request("POST", "/v1/domains", body={"domain": domain, "dkim": dkim}, timeout=timeout, max_retries=max_retries), "data"))

    def get_domain(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Domain:
        """Get a domain with the DNS records to publish."""
        return cast("Domain", self._transport.call(Request("GET", f"/v1/domains/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def delete_domain(
        self,
        id: str,
        /,
        *,
        cancel_waiting: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Remove a domain that nothing sends from. The response is 409 `in_use` while a campaign, a workflow or a waiting message sends from it. With `cancelWaiting`, waiting messages are cancelled first with the reason `domain_removed`, and their credits are refunded.

        Args:
            cancel_waiting: Whether to cancel waiting messages from the domain
        """
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/domains/{quoted(id)}", query={"cancelWaiting": cancel_waiting}, timeout=timeout, max_retries=max_retries), "data"))

    def verify_domain(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Domain:
        """Check the DNS records now. At most once every ten seconds. The response arrives within eight seconds; a longer check continues in the background, and `lastCheckedAt` shows whether the response includes it. A domain that failed is checked for another 72 hours."""
        return cast("Domain", self._transport.call(Request("POST", f"/v1/domains/{quoted(id)}/verify", timeout=timeout, max_retries=max_retries), "data"))

    def list_segments(
        self,
        *,
        type: Optional[Literal["dynamic", "static"]] = None,
        search: Optional[str] = None,
        archived: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Segment]:
        """List segments.

        Args:
            type: An extension of this implementation
            search: An extension of this implementation: a substring of the name, case-insensitive; not a pattern
            archived: An extension of this implementation: `false` leaves archived ones out, `true` lists only those; by default all are listed
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/segments", query={"type": type, "search": search, "archived": archived, "limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_segment(
        self,
        *,
        name: str,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        type: Union[Literal["dynamic", "static"], NotGiven] = NOT_GIVEN,
        conditions: Union[ConditionTree, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Segment:
        """Create a segment. A dynamic segment requires `conditions`; a static segment accepts none.

        Args:
            name: Its name
            description: A note for your own use
            type: The type; default `"dynamic"`
        """
        return cast("Segment", self._transport.call(Request("POST", "/v1/segments", body={"name": name, "description": description, "type": type, "conditions": conditions}, timeout=timeout, max_retries=max_retries), "data"))

    def preview_segment(
        self,
        *,
        conditions: ConditionTree,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SegmentPreview:
        """Count and sample the contacts that conditions match."""
        return cast("SegmentPreview", self._transport.call(Request("POST", "/v1/segments/preview", body={"conditions": conditions}, timeout=timeout, max_retries=max_retries), "data"))

    def get_segment(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Segment:
        """Get a segment."""
        return cast("Segment", self._transport.call(Request("GET", f"/v1/segments/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_segment(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        conditions: Union[ConditionTree, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Segment:
        """Update a segment; changed conditions are applied at once.

        Args:
            name: Its name
            description: A note for your own use
        """
        return cast("Segment", self._transport.call(Request("PATCH", f"/v1/segments/{quoted(id)}", body={"name": name, "description": description, "conditions": conditions}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_segment(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a segment that nothing refers to."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/segments/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def refresh_segment(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Segment:
        """Recompute the members."""
        return cast("Segment", self._transport.call(Request("POST", f"/v1/segments/{quoted(id)}/refresh", timeout=timeout, max_retries=max_retries), "data"))

    def list_segment_members(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[SegmentMember]:
        """List the members of a segment.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/segments/{quoted(id)}/members", query={"limit": limit}, timeout=timeout, max_retries=max_retries))

    def add_segment_members(
        self,
        id: str,
        /,
        *,
        emails: Sequence[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AddedMembers:
        """Add up to 1,000 contacts to a static segment.

        Args:
            emails: The addresses of the contacts
        """
        return cast("AddedMembers", self._transport.call(Request("POST", f"/v1/segments/{quoted(id)}/members", body={"emails": emails}, timeout=timeout, max_retries=max_retries), "data"))

    def remove_segment_member(
        self,
        id: str,
        contact_id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RemovedMember:
        """Remove a contact from a static segment."""
        return cast("RemovedMember", self._transport.call(Request("DELETE", f"/v1/segments/{quoted(id)}/members/{quoted(contact_id)}", timeout=timeout, max_retries=max_retries), "data"))

    def list_campaigns(
        self,
        *,
        status: Optional[Literal["draft", "scheduled", "sending", "sent", "cancelled"]] = None,
        search: Optional[str] = None,
        archived: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Campaign]:
        """List campaigns.

        Args:
            status: An extension of this implementation
            search: An extension of this implementation: a substring of the name, case-insensitive; not a pattern
            archived: An extension of this implementation: `false` leaves archived ones out, `true` lists only those; by default all are listed
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/campaigns", query={"status": status, "search": search, "archived": archived, "limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_campaign(
        self,
        *,
        name: str,
        subject: str,
        body: str,
        from_email: str,
        preview_text: Union[Optional[str], NotGiven] = NOT_GIVEN,
        body_blocks: Union[Optional[Union[str, Sequence[Any], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        from_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        variants: Union[Optional[Mapping[str, CampaignVariantInput]], NotGiven] = NOT_GIVEN,
        reply_to: Union[Optional[str], NotGiven] = NOT_GIVEN,
        segment_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        filter: Union[Optional[ConditionTree], NotGiven] = NOT_GIVEN,
        topic_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        schedule: Union[Optional[CampaignSchedule], NotGiven] = NOT_GIVEN,
        evergreen: Union[bool, NotGiven] = NOT_GIVEN,
        feed: Union[Optional[CampaignFeed], NotGiven] = NOT_GIVEN,
        windows: Union[Optional[SendWindows], NotGiven] = NOT_GIVEN,
        send_once: Union[Optional[SendOnce], NotGiven] = NOT_GIVEN,
        ab_subject_b: Union[Optional[str], NotGiven] = NOT_GIVEN,
        ab_sample_pct: Union[Optional[int], NotGiven] = NOT_GIVEN,
        audience: Union[Literal["all", "segment", "filter"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Create a draft.

        Args:
            name: Its name
            subject: The subject, which may have placeholders
            body: HTML with placeholders
            from_email: The sender's address
            preview_text: What email clients show after the subject
            body_blocks: The visual editor's design: stored as given, never sent
            from_name: The sender's name; null where there is none
            variants: An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none
            reply_to: The Reply-To address; null for the From address
            segment_id: Required when the audience is `segment`
            filter: Required when the audience is `filter`
            topic_id: An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none
            schedule: An extension of this implementation: makes the campaign recurring. Sending it starts a series; each turn is a campaign of its own
            evergreen: An extension of this implementation: each turn goes only to contacts that no previous turn has reached
            feed: An extension of this implementation: the feed of a recurring campaign; its text reads `{{#each feed.items}}`. Null for none
            windows: An extension of this implementation: when it may go out; null for the project's windows
            send_once: An extension of this implementation: recipients who have, or are about to get, a message of the key are skipped as `limit_reached`. Null for none
            ab_subject_b: Makes the campaign an A/B test; empty for none
            ab_sample_pct: Percent of the audience that gets A or B first; default 20
            audience: Who receives it: all subscribed contacts, a segment, or contacts that match a filter; default `"all"`
        """
        return cast("Campaign", self._transport.call(Request("POST", "/v1/campaigns", body={"name": name, "subject": subject, "body": body, "fromEmail": from_email, "previewText": preview_text, "bodyBlocks": body_blocks, "fromName": from_name, "variants": variants, "replyTo": reply_to, "segmentId": segment_id, "filter": filter, "topicId": topic_id, "schedule": schedule, "evergreen": evergreen, "feed": feed, "windows": windows, "sendOnce": send_once, "abSubjectB": ab_subject_b, "abSamplePct": ab_sample_pct, "audience": audience}, timeout=timeout, max_retries=max_retries), "data"))

    def count_audience(
        self,
        *,
        audience: Literal["all", "segment", "filter"],
        segment_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        filter: Union[Optional[ConditionTree], NotGiven] = NOT_GIVEN,
        topic_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AudienceCount:
        """Count the current recipients of a campaign.

        Args:
            audience: Who receives it: all subscribed contacts, a segment, or contacts that match a filter
            segment_id: Required when the audience is `segment`
            filter: Required when the audience is `filter`
            topic_id: An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none
        """
        return cast("AudienceCount", self._transport.call(Request("POST", "/v1/campaigns/audience-count", body={"audience": audience, "segmentId": segment_id, "filter": filter, "topicId": topic_id}, timeout=timeout, max_retries=max_retries), "data"))

    def get_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CampaignDetail:
        """Get a campaign with its estimated audience."""
        return cast("CampaignDetail", self._transport.call(Request("GET", f"/v1/campaigns/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_campaign(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        subject: Union[str, NotGiven] = NOT_GIVEN,
        body: Union[str, NotGiven] = NOT_GIVEN,
        from_email: Union[str, NotGiven] = NOT_GIVEN,
        audience: Union[Literal["all", "segment", "filter"], NotGiven] = NOT_GIVEN,
        preview_text: Union[Optional[str], NotGiven] = NOT_GIVEN,
        body_blocks: Union[Optional[Union[str, Sequence[Any], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        from_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        variants: Union[Optional[Mapping[str, Optional[CampaignVariantInput]]], NotGiven] = NOT_GIVEN,
        reply_to: Union[Optional[str], NotGiven] = NOT_GIVEN,
        segment_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        filter: Union[Optional[ConditionTree], NotGiven] = NOT_GIVEN,
        topic_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        schedule: Union[Optional[CampaignSchedule], NotGiven] = NOT_GIVEN,
        evergreen: Union[bool, NotGiven] = NOT_GIVEN,
        feed: Union[Optional[CampaignFeed], NotGiven] = NOT_GIVEN,
        windows: Union[Optional[SendWindows], NotGiven] = NOT_GIVEN,
        send_once: Union[Optional[SendOnce], NotGiven] = NOT_GIVEN,
        ab_subject_b: Union[Optional[str], NotGiven] = NOT_GIVEN,
        ab_sample_pct: Union[Optional[int], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Update a draft. You can also change a running recurring campaign, except its schedule. Changes apply to future turns.

        Args:
            name: Its name
            subject: The subject, which may have placeholders
            body: HTML with placeholders
            from_email: The sender's address
            audience: Who receives it: all subscribed contacts, a segment, or contacts that match a filter
            preview_text: What email clients show after the subject
            body_blocks: The visual editor's design: stored as given, never sent
            from_name: The sender's name; null where there is none
            variants: An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default. Languages that are not given stay; null removes one, or all
            reply_to: The Reply-To address; null for the From address
            segment_id: Required when the audience is `segment`
            filter: Required when the audience is `filter`
            topic_id: An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none
            schedule: An extension of this implementation: makes the campaign recurring. Sending it starts a series; each turn is a campaign of its own
            evergreen: An extension of this implementation: each turn goes only to contacts that no previous turn has reached
            feed: An extension of this implementation: the feed of a recurring campaign; its text reads `{{#each feed.items}}`. Null for none
            windows: An extension of this implementation: when it may go out; null for the project's windows
            send_once: An extension of this implementation: recipients who have, or are about to get, a message of the key are skipped as `limit_reached`. Null for none
            ab_subject_b: Makes the campaign an A/B test; empty for none
            ab_sample_pct: Percent of the audience that gets A or B first; default 20
        """
        return cast("Campaign", self._transport.call(Request("PATCH", f"/v1/campaigns/{quoted(id)}", body={"name": name, "subject": subject, "body": body, "fromEmail": from_email, "audience": audience, "previewText": preview_text, "bodyBlocks": body_blocks, "fromName": from_name, "variants": variants, "replyTo": reply_to, "segmentId": segment_id, "filter": filter, "topicId": topic_id, "schedule": schedule, "evergreen": evergreen, "feed": feed, "windows": windows, "sendOnce": send_once, "abSubjectB": ab_subject_b, "abSamplePct": ab_sample_pct}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a campaign that is neither scheduled nor sending."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/campaigns/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def send_campaign(
        self,
        id: str,
        /,
        *,
        scheduled_for: Union[str, NotGiven] = NOT_GIVEN,
        local_time: Union[bool, NotGiven] = NOT_GIVEN,
        passed: Union[Literal["now", "nextDay", "skip"], NotGiven] = NOT_GIVEN,
        fallback: Union[str, NotGiven] = NOT_GIVEN,
        ab_decide_at: Union[str, NotGiven] = NOT_GIVEN,
        decide: Union[Literal["onTime", "afterResume"], NotGiven] = NOT_GIVEN,
        throttle_per_minute: Union[int, NotGiven] = NOT_GIVEN,
        rollout: Union[Sequence[RolloutStep], NotGiven] = NOT_GIVEN,
        force: Union[bool, NotGiven] = NOT_GIVEN,
        force_reason: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> StartedCampaign:
        """Send a draft now, or schedule it.

        Args:
            scheduled_for: When it starts. With `localTime`, the date and time in each recipient’s time zone: an offset is optional and ignored
            local_time: An extension of this implementation: each recipient gets it when their own clock shows `scheduledFor`
            passed: An extension of this implementation, with `localTime`: what happens to recipients whose local time has already passed at the start; default `now`
            fallback: An extension of this implementation, with `localTime`: the time zone for recipients whose own is not known; default: the fallback of the windows, or UTC
            ab_decide_at: After the start, at most 365 days; default 4 hours after it. Ignored without `abSubjectB`
            decide: An extension of this implementation: whether the winner of an A/B test is chosen at `abDecideAt` even if the campaign is paused then (`onTime`, the default), or once it is resumed. Ignored without `abSubjectB`
            throttle_per_minute: Spaces the messages evenly
            rollout: An extension of this implementation: sends the campaign in 2 to 10 steps. It waits after each, and stops if too many messages bounced, were refused, reported as spam, or failed. Not with an A/B test, a schedule, `localTime`, or windows that skip recipients
            force: An extension of this implementation: launches the campaign although a check of its preflight has the level `block`
            force_reason: An extension of this implementation, with `force`: the reason; stored in the audit
        """
        return cast("StartedCampaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/send", body={"scheduledFor": scheduled_for, "localTime": local_time, "passed": passed, "fallback": fallback, "abDecideAt": ab_decide_at, "decide": decide, "throttlePerMinute": throttle_per_minute, "rollout": rollout, "force": force, "forceReason": force_reason}, keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def cancel_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Cancel a scheduled or sending campaign. Messages already handed over stay sent; pending recipients are skipped."""
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/cancel", timeout=timeout, max_retries=max_retries), "data"))

    def duplicate_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Duplicate a campaign as a draft."""
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/duplicate", timeout=timeout, max_retries=max_retries), "data"))

    def resend_to_non_openers(
        self,
        id: str,
        /,
        *,
        subject: Union[str, NotGiven] = NOT_GIVEN,
        scheduled_for: Union[str, NotGiven] = NOT_GIVEN,
        force: Union[bool, NotGiven] = NOT_GIVEN,
        force_reason: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Send a campaign again to recipients that did not open it. Creates a static segment of them and a new campaign to it.

        Args:
            subject: The subject, which may have placeholders
            scheduled_for: When it is sent
            force: An extension of this implementation: launches the campaign although a check of its preflight has the level `block`
            force_reason: An extension of this implementation, with `force`: the reason; stored in the audit
        """
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/resend-non-openers", body={"subject": subject, "scheduledFor": scheduled_for, "force": force, "forceReason": force_reason}, timeout=timeout, max_retries=max_retries), "data"))

    def test_send_campaign(
        self,
        id: str,
        /,
        *,
        to: str,
        language: Union[Literal["default", "all"], str, NotGiven] = NOT_GIVEN,
        ab_subject: Union[Literal["a", "b"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestSent:
        """Send the content to one address, its subject prefixed with [Test].

        Args:
            to: The recipient of the test
            language: An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets
            ab_subject: An extension of this implementation: the subject of an A/B test that the message has, in each language; default `a`
        """
        return cast("TestSent", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/test-send", body={"to": to, "language": language, "abSubject": ab_subject}, timeout=timeout, max_retries=max_retries), "data"))

    def list_campaign_recipients(
        self,
        id: str,
        /,
        *,
        status: Optional[Literal["pending", "sent", "skipped"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[CampaignRecipient]:
        """List the recipients of a campaign.

        Args:
            status: The status
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/campaigns/{quoted(id)}/recipients", query={"status": status, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def list_campaign_links(
        self,
        id: str,
        /,
        *,
        version: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[CampaignLink]:
        """List the clicks by link, most clicked first. With `limit` or `cursor`, each page has its own most clicked first.

        Args:
            version: An extension of this implementation: only clicks in messages with this version of the content
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/campaigns/{quoted(id)}/links", query={"version": version, "limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def list_workflows(
        self,
        *,
        status: Optional[Literal["draft", "active", "paused"]] = None,
        search: Optional[str] = None,
        archived: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Workflow]:
        """List workflows with their graphs.

        Args:
            status: An extension of this implementation
            search: An extension of this implementation: a substring of the name, case-insensitive; not a pattern
            archived: An extension of this implementation: `false` leaves archived ones out, `true` lists only those; by default all are listed
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/workflows", query={"status": status, "search": search, "archived": archived, "limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_workflow(
        self,
        *,
        name: str,
        trigger: str,
        graph: Union[Optional[CreateWorkflowRequestGraph], NotGiven] = NOT_GIVEN,
        reentry: Union[Literal["never", "after_exit", "always"], NotGiven] = NOT_GIVEN,
        windows: Union[Optional[SendWindows], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Workflow:
        """Create a draft workflow.

        Args:
            name: Its name
            trigger: The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`
            graph: Nodes and edges; null for a workflow that has none yet
            reentry: Whether a contact may enter again; default `"never"`
            windows: An extension of this implementation: when its marketing mail may go out; null for the project's windows. They hold for executions that run, too
        """
        return cast("Workflow", self._transport.call(Request("POST", "/v1/workflows", body={"name": name, "trigger": trigger, "graph": graph, "reentry": reentry, "windows": windows}, timeout=timeout, max_retries=max_retries), "data"))

    def get_execution(
        self,
        execution_id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ExecutionDetail:
        """Get an execution with its steps."""
        return cast("ExecutionDetail", self._transport.call(Request("GET", f"/v1/workflows/executions/{quoted(execution_id)}", timeout=timeout, max_retries=max_retries), "data"))

    def get_workflow(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Workflow:
        """Get a workflow."""
        return cast("Workflow", self._transport.call(Request("GET", f"/v1/workflows/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_workflow(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        trigger: Union[str, NotGiven] = NOT_GIVEN,
        graph: Union[Optional[UpdateWorkflowRequestGraph], NotGiven] = NOT_GIVEN,
        reentry: Union[Literal["never", "after_exit", "always"], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "paused"], NotGiven] = NOT_GIVEN,
        windows: Union[Optional[SendWindows], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Workflow:
        """Update, activate or pause a workflow. Activating checks the whole graph: one `invalid_graph` detail for each error; translations that are missing are named in `X-Lettermill-Warning`. Executions keep the graph they were enrolled with.

        Args:
            name: Its name
            trigger: The trigger: `event:<name>`, `contact.created`, `segment:enter:<segmentId>` or `segment:exit:<segmentId>`
            graph: Nodes and edges; null for a workflow that has none yet
            reentry: Whether a contact may enter again
            status: The status
            windows: An extension of this implementation: when its marketing mail may go out; null for the project's windows. They hold for executions that run, too
        """
        return cast("Workflow", self._transport.call(Request("PATCH", f"/v1/workflows/{quoted(id)}", body={"name": name, "trigger": trigger, "graph": graph, "reentry": reentry, "status": status, "windows": windows}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_workflow(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a workflow without running executions."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/workflows/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def duplicate_workflow(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Workflow:
        """Duplicate a workflow as a draft."""
        return cast("Workflow", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/duplicate", timeout=timeout, max_retries=max_retries), "data"))

    def enroll_contact(
        self,
        id: str,
        /,
        *,
        contact_id: Union[str, NotGiven] = NOT_GIVEN,
        email: Union[str, NotGiven] = NOT_GIVEN,
        data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EnrolledExecution:
        """Enroll a contact in an active workflow.

        Args:
            contact_id: An opaque id
            email: The e-mail address
            data: The data of the trigger event
        """
        return cast("EnrolledExecution", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/enroll", body={"contactId": contact_id, "email": email, "data": data}, keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def list_executions(
        self,
        id: str,
        /,
        *,
        status: Optional[Literal["running", "waiting", "completed", "exited", "failed", "cancelled"]] = None,
        contact_id: Optional[str] = None,
        node_id: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Execution]:
        """List the executions of a workflow.

        Args:
            status: The status
            contact_id: An opaque id
            node_id: Only executions that are at this node now. Add `status` to narrow them further
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/workflows/{quoted(id)}/executions", query={"status": status, "contactId": contact_id, "nodeId": node_id, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def cancel_all_executions(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CancelledExecutions:
        """Cancel every execution in progress."""
        return cast("CancelledExecutions", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/executions/cancel-all", timeout=timeout, max_retries=max_retries), "data"))

    def cancel_execution(
        self,
        id: str,
        execution_id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Execution:
        """Cancel an execution."""
        return cast("Execution", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/executions/{quoted(execution_id)}/cancel", timeout=timeout, max_retries=max_retries), "data"))

    def list_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Webhook]:
        """List webhook endpoints.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/webhooks", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[str],
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        tag: Union[Optional[str], NotGiven] = NOT_GIVEN,
        format: Union[Literal["resend"], NotGiven] = NOT_GIVEN,
        enabled: Union[bool, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RegisteredWebhook:
        """Register a webhook endpoint. `secret` is returned only here and after a rotation.

        Args:
            url: The URL
            events: Names, prefixes such as `email.*`, or `*`
            description: A note for your own use
            tag: An extension of this implementation: only events of mail with this tag, as `name:value`
            format: An extension of this implementation: `resend` delivers bodies in the form of Resend's webhooks; it never changes
            enabled: Whether it is enabled; default `true`
        """
        return cast("RegisteredWebhook", self._transport.call(Request("POST", "/v1/webhooks", body={"url": url, "events": events, "description": description, "tag": tag, "format": format, "enabled": enabled}, timeout=timeout, max_retries=max_retries), "data"))

    def update_webhook(
        self,
        id: str,
        /,
        *,
        url: Union[str, NotGiven] = NOT_GIVEN,
        events: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        tag: Union[Optional[str], NotGiven] = NOT_GIVEN,
        enabled: Union[bool, NotGiven] = NOT_GIVEN,
        rotate_secret: Union[Literal[True], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Webhook:
        """Update, enable or disable a webhook endpoint, or rotate its secret.

        Args:
            url: The URL
            events: Names, prefixes such as `email.*`, or `*`
            description: A note for your own use
            tag: An extension of this implementation: only events of mail with this tag, as `name:value`
            enabled: false stops deliveries and keeps the log
            rotate_secret: For 24 hours, both secrets sign
        """
        return cast("Webhook", self._transport.call(Request("PATCH", f"/v1/webhooks/{quoted(id)}", body={"url": url, "events": events, "description": description, "tag": tag, "enabled": enabled, "rotateSecret": rotate_secret}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_webhook(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Remove an endpoint with its deliveries."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/webhooks/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def list_deliveries(
        self,
        id: str,
        /,
        *,
        status: Optional[Literal["pending", "succeeded", "failed"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Delivery]:
        """List deliveries, newest first.

        Args:
            status: The status
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/webhooks/{quoted(id)}/deliveries", query={"status": status, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def replay_delivery(
        self,
        id: str,
        delivery_id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Delivery:
        """Deliver the same event again."""
        return cast("Delivery", self._transport.call(Request("POST", f"/v1/webhooks/{quoted(id)}/deliveries/{quoted(delivery_id)}/replay", timeout=timeout, max_retries=max_retries), "data"))

    def list_suppressions(
        self,
        *,
        reason: Optional[Literal["hard_bounce", "complaint", "unsubscribe", "manual"]] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Suppression]:
        """List suppressions, newest first.

        Args:
            reason: Why
            search: Text to search for, case-insensitive; not a pattern
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/suppressions", query={"reason": reason, "search": search, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def create_suppression(
        self,
        *,
        email: str,
        reason: Union[Literal["hard_bounce", "complaint", "unsubscribe", "manual"], NotGiven] = NOT_GIVEN,
        note: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Suppression:
        """Suppress an address. If the address is already suppressed, the response is 200 with the unchanged record.

        Args:
            email: The e-mail address
            reason: Why: `unsubscribe` stops marketing mail, every other reason all mail; default `"manual"`
            note: An extension of this implementation: a note for your own use
        """
        return cast("Suppression", self._transport.call(Request("POST", "/v1/suppressions", body={"email": email, "reason": reason, "note": note}, timeout=timeout, max_retries=max_retries), "data"))

    def check_suppression(
        self,
        *,
        email: str,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SuppressionState:
        """Check whether an address is suppressed.

        Args:
            email: The e-mail address
        """
        return cast("SuppressionState", self._transport.call(Request("GET", "/v1/suppressions/check", query={"email": email}, timeout=timeout, max_retries=max_retries), "data"))

    def get_suppression(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SuppressionState:
        """Get a suppression by id or address. An address that is not suppressed is a 200, not a 404."""
        return cast("SuppressionState", self._transport.call(Request("GET", f"/v1/suppressions/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def delete_suppression(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Remove a suppression by id or address."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/suppressions/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_suppression(
        self,
        id: str,
        /,
        *,
        note: Optional[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Suppression:
        """Change the note of a suppression, by id or address. An extension of this implementation.

        Args:
            note: A note for your own use; null removes it
        """
        return cast("Suppression", self._transport.call(Request("PATCH", f"/v1/suppressions/{quoted(id)}", body={"note": note}, timeout=timeout, max_retries=max_retries), "data"))

    def get_stats(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        tag: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Stats:
        """Get the counts and rates of a time span. Counted in whole hours. Test-mode traffic is excluded; opens and clicks are unique per e-mail.

        Args:
            from_: Inclusive; default 30 days, or 48 hours by the hour, before the end
            to: Exclusive; default the end of the current day or hour
            interval: UTC; at most 400 buckets
            tag: An extension of this implementation: only mail with this tag, as `name:value`
        """
        return cast("Stats", self._transport.call(Request("GET", "/v1/stats", query={"from": from_, "to": to, "interval": interval, "tag": tag}, timeout=timeout, max_retries=max_retries), "data"))

    def get_workflow_stats(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WorkflowStats:
        """Get the funnel of a workflow, node by node."""
        return cast("WorkflowStats", self._transport.call(Request("GET", f"/v1/stats/workflows/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def verify_address(
        self,
        *,
        email: str,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AddressVerdict:
        """Verify an address without sending to it. Bad syntax is a verdict (`undeliverable`), not a 422.

        Args:
            email: The e-mail address
        """
        return cast("AddressVerdict", self._transport.call(Request("POST", "/v1/verify", body={"email": email}, timeout=timeout, max_retries=max_retries), "data"))

    def get_billing(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Billing:
        """Get usage, caps, plan and reputation."""
        return cast("Billing", self._transport.call(Request("GET", "/v1/billing", timeout=timeout, max_retries=max_retries), "data"))

    def update_billing(
        self,
        *,
        monthly_limit: Union[Optional[int], NotGiven] = NOT_GIVEN,
        monthly_limit_transactional: Union[Optional[int], NotGiven] = NOT_GIVEN,
        monthly_limit_campaign: Union[Optional[int], NotGiven] = NOT_GIVEN,
        monthly_limit_workflow: Union[Optional[int], NotGiven] = NOT_GIVEN,
        monthly_limit_inbound: Union[Optional[int], NotGiven] = NOT_GIVEN,
        plan: Union[Literal["free"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Nothing:
        """Change monthly caps, or downgrade to the free plan.

        Args:
            monthly_limit: null removes the cap
            monthly_limit_transactional: The monthly cap of single messages; null removes it
            monthly_limit_campaign: The monthly cap of campaigns; null removes it
            monthly_limit_workflow: The monthly cap of workflows; null removes it
            monthly_limit_inbound: The monthly cap of inbound mail; null removes it
            plan: Downgrades at the end of the paid period; for paid plans use POST /api/payments/checkout
        """
        return cast("Nothing", self._transport.call(Request("PATCH", "/v1/billing", body={"monthlyLimit": monthly_limit, "monthlyLimitTransactional": monthly_limit_transactional, "monthlyLimitCampaign": monthly_limit_campaign, "monthlyLimitWorkflow": monthly_limit_workflow, "monthlyLimitInbound": monthly_limit_inbound, "plan": plan}, timeout=timeout, max_retries=max_retries), "data"))

    def receive_message(
        self,
        *,
        from_: str,
        to: str,
        from_name: Union[str, NotGiven] = NOT_GIVEN,
        subject: Union[str, NotGiven] = NOT_GIVEN,
        html: Union[str, NotGiven] = NOT_GIVEN,
        text: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ReceivedMessage:
        """Accept a message as if it had arrived by mail.

        Args:
            from_: The sender's address
            to: The local part keeps its case
            from_name: The sender's name
            subject: The subject, which may have placeholders
            html: HTML
            text: Plain text
        """
        return cast("ReceivedMessage", self._transport.call(Request("POST", "/v1/inbound", body={"from": from_, "to": to, "fromName": from_name, "subject": subject, "html": html, "text": text}, timeout=timeout, max_retries=max_retries), "data"))

    def list_inbound(
        self,
        *,
        to: Optional[str] = None,
        from_email: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[InboundMessage]:
        """List received messages, newest first.

        Args:
            to: The address that received it
            from_email: The sender's address
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/inbound", query={"to": to, "fromEmail": from_email, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def get_health(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Health:
        """Check the health of the service and its dependencies."""
        return cast("Health", self._transport.call(Request("GET", "/v1/health", timeout=timeout, max_retries=max_retries), "data"))

    def get_open_api(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Mapping[str, Any]:
        """Get this description, OpenAPI 3.1."""
        return cast("Mapping[str, Any]", self._transport.call(Request("GET", "/v1/openapi.json", timeout=timeout, max_retries=max_retries), "json"))

    def create_approval(
        self,
        *,
        operation: Literal["sendCampaign", "resumeCampaign", "updateWorkflow", "sendBatch", "deleteSuppression", "importContacts"],
        parameters: Union[CampaignToApprove, WorkflowToApprove, BatchToApprove, SuppressionToApprove, ImportToApprove],
        reason: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RequestedApproval:
        """Request an approval. An extension of this implementation. The operation is checked as if it were called, and carried out once a person has approved it. A forced launch says so in its summary, with the reason. Nobody can approve with the key that requested it. It is void if the campaign, the workflow, its segments or its templates have changed by then, or if its audience has by more than a tenth. What names people, such as the messages of a batch, is deleted once the approval is over.

        Args:
            operation: The operation that is to be carried out
            parameters: The path parameters of the operation and the members of its body, side by side
            reason: Why; the person who decides reads it
        """
        return cast("RequestedApproval", self._transport.call(Request("POST", "/v1/approvals", body={"operation": operation, "parameters": parameters, "reason": reason}, keyed=True, idempotency_key=idempotency_key, timeout=timeout, max_retries=max_retries), "data"))

    def list_approvals(
        self,
        *,
        state: Optional[Literal["pending", "approved", "rejected", "expired", "executed", "failed", "void"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Approval]:
        """List approvals, newest first. An extension of this implementation.

        Args:
            state: Only approvals in this state
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/approvals", query={"state": state, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def get_approval(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Approval:
        """Get an approval. An extension of this implementation."""
        return cast("Approval", self._transport.call(Request("GET", f"/v1/approvals/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def approve_approval(
        self,
        id: str,
        /,
        *,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Approval:
        """Approve what was requested. An extension of this implementation. The answer does not wait until it is carried out: `state` and `result` say how it ended.

        Args:
            reason: The reason; stored with the approval
        """
        return cast("Approval", self._transport.call(Request("POST", f"/v1/approvals/{quoted(id)}/approve", body={"reason": reason}, timeout=timeout, max_retries=max_retries), "data"))

    def reject_approval(
        self,
        id: str,
        /,
        *,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Approval:
        """Reject what was requested. An extension of this implementation. The key that requested it may reject it too, to withdraw it.

        Args:
            reason: The reason; stored with the approval
        """
        return cast("Approval", self._transport.call(Request("POST", f"/v1/approvals/{quoted(id)}/reject", body={"reason": reason}, timeout=timeout, max_retries=max_retries), "data"))

    def create_approval_link(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ApprovalLink:
        """Create a link by which one person decides without a sign-in. An extension of this implementation. The link ends with the approval or with the decision. Opening it changes nothing; its page has a button."""
        return cast("ApprovalLink", self._transport.call(Request("POST", f"/v1/approvals/{quoted(id)}/link", timeout=timeout, max_retries=max_retries), "data"))

    def list_audit(
        self,
        *,
        by: Optional[str] = None,
        action: Optional[str] = None,
        from_: Optional[str] = None,
        until: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[AuditEntry]:
        """List changes with their authors, newest first. An extension of this implementation. Entries are kept for 400 days. Only owners, admins and keys with the scope `full` can read them.

        Args:
            by: Only changes by this author, as in `by` of an entry
            action: Only entries of this action, as `campaign.send`
            from_: Made at or after this instant
            until: Made before this instant
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/audit", query={"by": by, "action": action, "from": from_, "until": until, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def archive_workflow(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Workflow:
        """Archive a workflow. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is. An active workflow cannot be archived, and an archived one cannot be activated."""
        return cast("Workflow", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/archive", timeout=timeout, max_retries=max_retries), "data"))

    def unarchive_workflow(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Workflow:
        """Bring an archived workflow back. An extension of this implementation. What is not archived stays as it is."""
        return cast("Workflow", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/unarchive", timeout=timeout, max_retries=max_retries), "data"))

    def check_workflow(
        self,
        *,
        graph: CheckWorkflowRequestGraph,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> GraphFaults:
        """Find the errors of a graph. An extension of this implementation. Runs the checks of an activation; nothing is stored. `warnings` do not stop it: translations that messages read and that are missing.

        Args:
            graph: Nodes and edges
        """
        return cast("GraphFaults", self._transport.call(Request("POST", "/v1/workflows/check", body={"graph": graph}, timeout=timeout, max_retries=max_retries), "data"))

    def rehearse_workflow(
        self,
        id: str,
        /,
        *,
        contact_id: Union[str, NotGiven] = NOT_GIVEN,
        contact: Union[RehearseWorkflowRequestContact, NotGiven] = NOT_GIVEN,
        data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        events: Union[Sequence[RehearseWorkflowRequestEventsItem], NotGiven] = NOT_GIVEN,
        start: Union[str, NotGiven] = NOT_GIVEN,
        until: Union[str, NotGiven] = NOT_GIVEN,
        webhooks: Union[Mapping[str, RehearseWorkflowRequestWebhooksValue], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Rehearsal:
        """Rehearse a workflow in virtual time. An extension of this implementation. Returns what a workflow, drafts included, would do for a contact while the given events happen; `after` counts from `start`. Nothing is sent, stored or emitted, and webhooks are assumed to succeed.

        Args:
            contact_id: An opaque id
            contact: A hypothetical contact
            data: The data of the trigger event
            events: Events that happen during the rehearsal
            start: When the rehearsal begins; default now
            until: When the rehearsal ends
            webhooks: The HTTP status of webhook nodes, by node; others answer 200
        """
        return cast("Rehearsal", self._transport.call(Request("POST", f"/v1/workflows/{quoted(id)}/rehearse", body={"contactId": contact_id, "contact": contact, "data": data, "events": events, "start": start, "until": until, "webhooks": webhooks}, timeout=timeout, max_retries=max_retries), "data"))

    def get_workflow_timeline(
        self,
        id: str,
        /,
        *,
        step: Optional[Literal["hour", "day"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WorkflowTimeline:
        """Show what happened to the executions and messages of a workflow, by hour or day. An extension of this implementation. Counted from executions and messages, as far back as they are kept; of a workflow with more than 100,000 executions up to a minute old. Test-mode messages are not counted, test-mode executions are.

        Args:
            step: UTC; at most 400 buckets of this length
            from_: Inclusive, from the beginning of its bucket; default the start of the campaign, or the creation of the workflow but no more than 400 buckets before `to`
            to: Exclusive, up to the end of its bucket; default the end of the current one
        """
        return cast("WorkflowTimeline", self._transport.call(Request("GET", f"/v1/workflows/{quoted(id)}/timeline", query={"step": step, "from": from_, "to": to}, timeout=timeout, max_retries=max_retries), "data"))

    def start_checkout(
        self,
        *,
        plan: Literal["starter", "growth"],
        return_url: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Checkout:
        """Start the checkout of a paid plan. An extension outside of `/v1`. Send the customer to `checkoutUrl`; the plan starts when the provider reports the payment.

        Args:
            plan: The plan
            return_url: Where the customer returns to
        """
        return cast("Checkout", self._transport.call(Request("POST", "/api/payments/checkout", body={"plan": plan, "returnUrl": return_url}, timeout=timeout, max_retries=max_retries), "data"))

    def plan_campaign(
        self,
        id: str,
        /,
        *,
        scheduled_for: Union[str, NotGiven] = NOT_GIVEN,
        local_time: Union[bool, NotGiven] = NOT_GIVEN,
        passed: Union[Literal["now", "nextDay", "skip"], NotGiven] = NOT_GIVEN,
        fallback: Union[str, NotGiven] = NOT_GIVEN,
        ab_decide_at: Union[str, NotGiven] = NOT_GIVEN,
        decide: Union[Literal["onTime", "afterResume"], NotGiven] = NOT_GIVEN,
        throttle_per_minute: Union[int, NotGiven] = NOT_GIVEN,
        rollout: Union[Sequence[RolloutStep], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CampaignPlan:
        """Show who would get a campaign, and when. An extension of this implementation. Takes the members of a send for a draft, and none for a scheduled campaign. Changes nothing. With a throttle, times are approximate.

        Args:
            scheduled_for: When it starts. With `localTime`, the date and time in each recipient’s time zone: an offset is optional and ignored
            local_time: An extension of this implementation: each recipient gets it when their own clock shows `scheduledFor`
            passed: An extension of this implementation, with `localTime`: what happens to recipients whose local time has already passed at the start; default `now`
            fallback: An extension of this implementation, with `localTime`: the time zone for recipients whose own is not known; default: the fallback of the windows, or UTC
            ab_decide_at: After the start, at most 365 days; default 4 hours after it. Ignored without `abSubjectB`
            decide: An extension of this implementation: whether the winner of an A/B test is chosen at `abDecideAt` even if the campaign is paused then (`onTime`, the default), or once it is resumed. Ignored without `abSubjectB`
            throttle_per_minute: Spaces the messages evenly
            rollout: An extension of this implementation: sends the campaign in 2 to 10 steps. It waits after each, and stops if too many messages bounced, were refused, reported as spam, or failed. Not with an A/B test, a schedule, `localTime`, or windows that skip recipients
        """
        return cast("CampaignPlan", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/plan", body={"scheduledFor": scheduled_for, "localTime": local_time, "passed": passed, "fallback": fallback, "abDecideAt": ab_decide_at, "decide": decide, "throttlePerMinute": throttle_per_minute, "rollout": rollout}, timeout=timeout, max_retries=max_retries), "data"))

    def preflight_campaign(
        self,
        id: str,
        /,
        *,
        fetch: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CampaignPreflight:
        """Check a campaign before its launch. An extension of this implementation. Checks a draft or a scheduled campaign: sender, audience, content and links. Fetches links, so it takes up to 25 seconds. Changes nothing. A launch is refused while a check that needs no fetching has the level `block`, unless it is given `force: true`.

        Args:
            fetch: false leaves out `links` and `spam_score`, which ask other servers; default true
        """
        return cast("CampaignPreflight", self._transport.call(Request("GET", f"/v1/campaigns/{quoted(id)}/preflight", query={"fetch": fetch}, timeout=timeout, max_retries=max_retries), "data"))

    def get_campaign_coverage(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CampaignCoverage:
        """Show which recipients of a campaign would get which language. An extension of this implementation. Counts the audience of a draft or a scheduled campaign by language, and lists the texts that each language lacks. Changes nothing."""
        return cast("CampaignCoverage", self._transport.call(Request("GET", f"/v1/campaigns/{quoted(id)}/coverage", timeout=timeout, max_retries=max_retries), "data"))

    def get_campaign_timeline(
        self,
        id: str,
        /,
        *,
        step: Optional[Literal["hour", "day"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CampaignTimeline:
        """Show what happened to the messages of a campaign, by hour or day. An extension of this implementation. Counted from the messages, as far back as they are kept; of a campaign with more than 100,000 recipients up to a minute old. Test-mode messages are not counted.

        Args:
            step: UTC; at most 400 buckets of this length
            from_: Inclusive, from the beginning of its bucket; default the start of the campaign, or the creation of the workflow but no more than 400 buckets before `to`
            to: Exclusive, up to the end of its bucket; default the end of the current one
        """
        return cast("CampaignTimeline", self._transport.call(Request("GET", f"/v1/campaigns/{quoted(id)}/timeline", query={"step": step, "from": from_, "to": to}, timeout=timeout, max_retries=max_retries), "data"))

    def list_campaign_turns(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[CampaignTurn]:
        """List the turns of a recurring campaign, newest first. An extension of this implementation. Each turn that was not skipped is a campaign of its own, with its recipients and figures.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/campaigns/{quoted(id)}/turns", query={"limit": limit}, timeout=timeout, max_retries=max_retries))

    def get_campaign_feed(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> FeedOutlook:
        """Get what the next turn of a recurring campaign would send of its feed. An extension of this implementation. Reads the feed now and changes nothing. The entries shown are not sent yet."""
        return cast("FeedOutlook", self._transport.call(Request("GET", f"/v1/campaigns/{quoted(id)}/feed", timeout=timeout, max_retries=max_retries), "data"))

    def archive_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Archive a campaign. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is. A scheduled or sending campaign cannot be archived, and an archived draft cannot be sent."""
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/archive", timeout=timeout, max_retries=max_retries), "data"))

    def unarchive_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Bring an archived campaign back. An extension of this implementation. What is not archived stays as it is."""
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/unarchive", timeout=timeout, max_retries=max_retries), "data"))

    def pause_campaign(
        self,
        id: str,
        /,
        *,
        until: Union[str, NotGiven] = NOT_GIVEN,
        retries: Union[Literal["continue", "hold"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> PausedCampaign:
        """Pause a sending campaign. An extension of this implementation. Once this has answered, no further message begins until the campaign is resumed. Deferred messages keep their retries, unless `retries` is `hold`. `sent`, `inFlight`, `remaining` and the skipped recipients add up to `totalRecipients`.

        Args:
            until: Resumes the campaign automatically
            retries: `continue` retries deferred messages while the campaign is paused; `hold` holds them until it resumes; default `"continue"`
        """
        return cast("PausedCampaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/pause", body={"until": until, "retries": retries}, timeout=timeout, max_retries=max_retries), "data"))

    def resume_campaign(
        self,
        id: str,
        /,
        *,
        missed: Union[Literal["latest", "skip"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Resume a campaign that is paused, stopped in its rollout, or held for a provider. An extension of this implementation. A throttled campaign continues at its pace, without catching up. A rollout that was stopped continues with its next step. Holds for providers that refuse mail end for all campaigns of the project.

        Args:
            missed: For a recurring campaign: what to do with missed turns. Default `latest` if the campaign waits for an answer
        """
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/resume", body={"missed": missed}, timeout=timeout, max_retries=max_retries), "data"))

    def retry_failed_messages(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Retry the failed messages of a campaign. An extension of this implementation. Messages that failed other than by a bounce get one more chain of attempts, with the same content. Bounced messages are not retried."""
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/retry-failed", timeout=timeout, max_retries=max_retries), "data"))

    def unschedule_campaign(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Make a scheduled campaign a draft again. An extension of this implementation."""
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/unschedule", timeout=timeout, max_retries=max_retries), "data"))

    def reschedule_campaign(
        self,
        id: str,
        /,
        *,
        scheduled_for: str,
        force: Union[bool, NotGiven] = NOT_GIVEN,
        force_reason: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Move a scheduled campaign to another time. An extension of this implementation. The decision of an A/B test moves by the same time.

        Args:
            scheduled_for: When it is sent
            force: An extension of this implementation: launches the campaign although a check of its preflight has the level `block`
            force_reason: An extension of this implementation, with `force`: the reason; stored in the audit
        """
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/reschedule", body={"scheduledFor": scheduled_for, "force": force, "forceReason": force_reason}, timeout=timeout, max_retries=max_retries), "data"))

    def revise_campaign(
        self,
        id: str,
        /,
        *,
        subject: Union[str, NotGiven] = NOT_GIVEN,
        preview_text: Union[Optional[str], NotGiven] = NOT_GIVEN,
        body: Union[str, NotGiven] = NOT_GIVEN,
        body_blocks: Union[Optional[Union[str, Sequence[Any], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        from_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        reply_to: Union[Optional[str], NotGiven] = NOT_GIVEN,
        variants: Union[Optional[Mapping[str, Optional[CampaignVariantInput]]], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Campaign:
        """Correct the content of a paused campaign for the remaining recipients. An extension of this implementation. Messages that have begun keep their content; all others get the next version. In an A/B test a new subject replaces both, and `comparison` becomes null.

        Args:
            subject: The subject, which may have placeholders
            preview_text: What email clients show after the subject
            body: HTML with placeholders
            body_blocks: An extension of this implementation: the visual editor's design of the corrected HTML, stored as given, never sent
            from_name: The sender's name; null where there is none
            reply_to: The Reply-To address; null for the From address
            variants: An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default. Languages that are not given stay; null removes one, or all
        """
        return cast("Campaign", self._transport.call(Request("POST", f"/v1/campaigns/{quoted(id)}/revise", body={"subject": subject, "previewText": preview_text, "body": body, "bodyBlocks": body_blocks, "fromName": from_name, "replyTo": reply_to, "variants": variants}, timeout=timeout, max_retries=max_retries), "data"))

    def break_down_audience(
        self,
        *,
        audience: Literal["all", "segment", "filter"],
        segment_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        filter: Union[Optional[ConditionTree], NotGiven] = NOT_GIVEN,
        topic_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AudienceBreakdown:
        """Count an audience, and the contacts that would be skipped, by reason. An extension of this implementation. `count` equals `audience-count`; each contact is counted under one reason only.

        Args:
            audience: Who receives it: all subscribed contacts, a segment, or contacts that match a filter
            segment_id: Required when the audience is `segment`
            filter: Required when the audience is `filter`
            topic_id: An extension of this implementation: the topic of the campaign; contacts that are not in it are skipped. Null for none
        """
        return cast("AudienceBreakdown", self._transport.call(Request("POST", "/v1/campaigns/audience-breakdown", body={"audience": audience, "segmentId": segment_id, "filter": filter, "topicId": topic_id}, timeout=timeout, max_retries=max_retries), "data"))

    def certify_campaign(
        self,
        id: str,
        /,
        *,
        format: Optional[Literal["json", "csv"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CampaignCertificate:
        """Certify the outcome of every recipient of a campaign. An extension of this implementation. The sums add up at any moment: `audience` = `sent` + all `skipped` + `pending`, and `sent` = `delivered` + all `bounced` + `failed` + `deferred` + `inDoubt`. All recipients are read for it. With `format=csv`, each recipient is a line with a hash of the line and of the hash before it.

        Args:
            format: `csv` streams one line for each recipient
        """
        return cast("CampaignCertificate", self._transport.call(Request("GET", f"/v1/campaigns/{quoted(id)}/certificate", query={"format": format}, timeout=timeout, max_retries=max_retries), "data"))

    def certify_workflow(
        self,
        id: str,
        /,
        *,
        format: Optional[Literal["json", "csv"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WorkflowCertificate:
        """Certify the outcome of the messages of a workflow. An extension of this implementation. Covers contacts enrolled from `from` up to, but not including, `to`. Each `send_email` node that a live execution reached counts as one recipient. Sums, CSV and hash chain work as in a campaign certificate.

        Args:
            format: `csv` streams one line for each recipient
            from_: Contacts enrolled from this instant on, inclusive
            to: Contacts enrolled before this instant
        """
        return cast("WorkflowCertificate", self._transport.call(Request("GET", f"/v1/workflows/{quoted(id)}/certificate", query={"format": format, "from": from_, "to": to}, timeout=timeout, max_retries=max_retries), "data"))

    def list_contact_consent(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[ConsentEntry]:
        """List what a person agreed to and took back, newest first. An extension of this implementation. The entries of an id or an address, also before it becomes a contact and after it was deleted.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/contacts/{quoted(id)}/consent", query={"limit": limit}, timeout=timeout, max_retries=max_retries))

    def verify_contact_consent(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ConsentVerification:
        """Verify the hash chain of a person's consent. An extension of this implementation. Detects an entry that was changed, inserted or removed in the database."""
        return cast("ConsentVerification", self._transport.call(Request("GET", f"/v1/contacts/{quoted(id)}/consent/verification", timeout=timeout, max_retries=max_retries), "data"))

    def export_consent(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Export the ledger of consent as CSV. An extension of this implementation. All entries of the project, newest first, with the address where it is a contact."""
        return cast("str", self._transport.call(Request("GET", "/v1/consent/export", timeout=timeout, max_retries=max_retries), "text"))

    def get_contact_erasure(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Erasure:
        """Get the progress of the erasure of a deleted contact. An extension of this implementation. By the former id or address of the contact; the latest erasure if there were several. Available for 90 days after its end."""
        return cast("Erasure", self._transport.call(Request("GET", f"/v1/contacts/{quoted(id)}/erasure", timeout=timeout, max_retries=max_retries), "data"))

    def export_contact_data(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> HeldData:
        """Get all stored data about a contact. An extension of this implementation. One JSON document, streamed: contact, topics, suppression, segments, campaigns, rejected import rows, and the newest 10,000 each of e-mails (with bodies and values), inbound mail, consent entries, events, executions and webhook deliveries; `truncated` names the lists that are longer."""
        return cast("HeldData", self._transport.call(Request("GET", f"/v1/contacts/{quoted(id)}/data", timeout=timeout, max_retries=max_retries), "data"))

    def list_providers(
        self,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Providers:
        """Get the outcome of the mail to each provider. An extension of this implementation. Counts the newest 20,000 messages of the last days by who takes the mail of the recipient, without test mode. The domains beyond the first 100 are counted as `other`.

        Args:
            days: Number of days that are counted
        """
        return cast("Providers", self._transport.call(Request("GET", "/v1/deliverability/providers", query={"days": days}, timeout=timeout, max_retries=max_retries), "data"))

    def list_transports(
        self,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Transports:
        """Get the outcome of the mail over each transport. An extension of this implementation. Counts the newest 20,000 messages of the last days by the transport of their last attempt, without test mode. Hosts, addresses and credentials stay with the operator.

        Args:
            days: Number of days that are counted
        """
        return cast("Transports", self._transport.call(Request("GET", "/v1/deliverability/transports", query={"days": days}, timeout=timeout, max_retries=max_retries), "data"))

    def get_domain_zone(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Download the DNS records of a domain as a zone file. An extension of this implementation. Lines of a BIND zone file, for name servers and the import of DNS providers."""
        return cast("str", self._transport.call(Request("GET", f"/v1/domains/{quoted(id)}/zone", timeout=timeout, max_retries=max_retries), "text"))

    def get_domain_reports(
        self,
        id: str,
        /,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> DomainReports:
        """Get what receivers report of a domain. An extension of this implementation. DMARC: who sends with the domain, how much of it passes, next to what was sent from here, and whether the policy can be stricter. TLS: sessions that hosts opened to the domain.

        Args:
            from_: Inclusive; default 30 days before the end. Its whole UTC day counts
            to: Exclusive; default the end of the current day. Its whole UTC day counts
            limit: Number of sources
        """
        return cast("DomainReports", self._transport.call(Request("GET", f"/v1/domains/{quoted(id)}/reports", query={"from": from_, "to": to, "limit": limit}, timeout=timeout, max_retries=max_retries), "data"))

    def read_event_feed(
        self,
        *,
        after: Optional[str] = None,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EventFeed:
        """Read events in order of receipt, from a position on. An extension of this implementation, for receivers that webhooks cannot reach. Pass `next` as `after`, even if `data` is empty. You then get every event exactly once. An event appears 90 seconds after its receipt.

        Args:
            after: `next` of the answer before, unchanged
            from_: The receipt time to start at, inclusive. Default: the oldest stored event
            limit: The maximum number of rows in a response
        """
        return cast("EventFeed", self._transport.call(Request("GET", "/v1/events/feed", query={"after": after, "from": from_, "limit": limit}, timeout=timeout, max_retries=max_retries), "data"))

    def list_files(
        self,
        *,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[File]:
        """List pictures, newest first. An extension of this implementation.

        Args:
            search: Part of the name
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/files", query={"search": search, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def upload_file(
        self,
        file: Union[str, bytes],
        /,
        *,
        name: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> File:
        """Upload a picture. An extension of this implementation. The body is the bytes of a PNG, JPEG, GIF or WebP picture of at most 5 MiB, whose type is decided by its content. A JPEG loses its metadata, but not its orientation. 201 if it is new, 200 if the project has the same content already.

        Args:
            name: What people know the picture by; it is no part of the URL
        """
        return cast("File", self._transport.call(Request("POST", "/v1/files", query={"name": name}, file=file, file_type="application/octet-stream", timeout=timeout, max_retries=max_retries), "data"))

    def get_file(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> FileDetail:
        """Get a picture. An extension of this implementation. `uses` lists the templates, campaigns and automations whose current content shows the picture. If the search takes more than 5 seconds, the answer is 503 `unavailable`; `GET /v1/files` needs no search."""
        return cast("FileDetail", self._transport.call(Request("GET", f"/v1/files/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def delete_file(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a picture. An extension of this implementation. Mail that shows it shows its alternative text from then on. The same content uploaded again has the same URL."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/files/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def list_forms(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[FormWithFigures]:
        """List sign-up forms with their figures, newest first. An extension of this implementation.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/forms", query={"limit": limit}, timeout=timeout, max_retries=max_retries))

    def create_form(
        self,
        *,
        name: str,
        fields: Union[Sequence[CreateFormRequestFieldsItem], NotGiven] = NOT_GIVEN,
        topics: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        double_opt_in: Union[bool, NotGiven] = NOT_GIVEN,
        confirmation: Union[Literal["default"], CreateFormRequestConfirmation, NotGiven] = NOT_GIVEN,
        confirm: Union[Literal["button", "link"], NotGiven] = NOT_GIVEN,
        redirect_url: Union[Optional[str], NotGiven] = NOT_GIVEN,
        consent_text: str,
        privacy_url: Union[Optional[str], NotGiven] = NOT_GIVEN,
        proof_of_work: Union[bool, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Form:
        """Create a sign-up form. An extension of this implementation. Its page is at `url`; `snippet` is for a page of your own.

        Args:
            name: Its name
            fields: Questions in addition to the address
            topics: Topics that everyone who signs up joins
            double_opt_in: Whether the person confirms by mail first; one who opted out always does; default `true`
            confirmation: The confirmation: the text of the platform, or a template with `{{confirmUrl}}`; default `"default"`
            confirm: `button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch; default `"button"`
            redirect_url: The URL to which the browser goes after the form is sent; null for a page of the platform; default `null`
            consent_text: The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent
            privacy_url: A link to your privacy policy; default `null`
            proof_of_work: Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript; default `false`
        """
        return cast("Form", self._transport.call(Request("POST", "/v1/forms", body={"name": name, "fields": fields, "topics": topics, "doubleOptIn": double_opt_in, "confirmation": confirmation, "confirm": confirm, "redirectUrl": redirect_url, "consentText": consent_text, "privacyUrl": privacy_url, "proofOfWork": proof_of_work}, timeout=timeout, max_retries=max_retries), "data"))

    def get_form(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> FormWithFigures:
        """Get a sign-up form with its figures. An extension of this implementation."""
        return cast("FormWithFigures", self._transport.call(Request("GET", f"/v1/forms/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_form(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        fields: Union[Sequence[UpdateFormRequestFieldsItem], NotGiven] = NOT_GIVEN,
        topics: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        double_opt_in: Union[bool, NotGiven] = NOT_GIVEN,
        confirmation: Union[Literal["default"], UpdateFormRequestConfirmation, NotGiven] = NOT_GIVEN,
        confirm: Union[Literal["button", "link"], NotGiven] = NOT_GIVEN,
        redirect_url: Union[Optional[str], NotGiven] = NOT_GIVEN,
        consent_text: Union[str, NotGiven] = NOT_GIVEN,
        privacy_url: Union[Optional[str], NotGiven] = NOT_GIVEN,
        proof_of_work: Union[bool, NotGiven] = NOT_GIVEN,
        state: Union[Literal["open", "held"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Form:
        """Update a sign-up form, hold it or open it again. An extension of this implementation.

        Args:
            name: Its name
            fields: Questions in addition to the address
            topics: Topics that everyone who signs up joins
            double_opt_in: Whether the person confirms by mail first; one who opted out always does
            confirmation: The confirmation: the text of the platform, or a template with `{{confirmUrl}}`
            confirm: `button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch
            redirect_url: The URL to which the browser goes after the form is sent; null for a page of the platform
            consent_text: The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent
            privacy_url: A link to your privacy policy
            proof_of_work: Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript
            state: `held`: the form accepts no sign-ups; `open` also ends a hold after a burst
        """
        return cast("Form", self._transport.call(Request("PATCH", f"/v1/forms/{quoted(id)}", body={"name": name, "fields": fields, "topics": topics, "doubleOptIn": double_opt_in, "confirmation": confirmation, "confirm": confirm, "redirectUrl": redirect_url, "consentText": consent_text, "privacyUrl": privacy_url, "proofOfWork": proof_of_work, "state": state}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_form(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a sign-up form. An extension of this implementation. Sign-ups that wait for their confirmation can still be confirmed."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/forms/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def get_inbound_attachment(
        self,
        id: str,
        attachment_id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes:
        """Download an attachment of a received message. An extension of this implementation. The bytes as the sender attached them, unchecked, with the media type from the sender. 404 if the attachment was too large to be stored."""
        return cast("bytes", self._transport.call(Request("GET", f"/v1/inbound/{quoted(id)}/attachments/{quoted(attachment_id)}", timeout=timeout, max_retries=max_retries), "bytes"))

    def list_keys(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Key]:
        """List the keys of the project, oldest first. An extension of this implementation. Keys are shown by their first characters; only a hash is stored.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/keys", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_key(
        self,
        *,
        kind: Literal["secret", "test", "public"],
        scope: Union[Literal["full", "sending", "read"], NotGiven] = NOT_GIVEN,
        expires_at: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CreatedKey:
        """Create a key. An extension of this implementation. The key itself is returned only in this response. A test key cannot create keys, and a key that expires cannot create one that expires later. A marketer creates public keys and keys with the scope `sending` or `read`, an analyst or approver those with the scope `read`; each of them has up to 10 keys of a kind, and creates as many per hour. You can create up to 50 keys of a kind per hour, including revoked ones; the next is 429 `rate_limited`. The newest 100 revoked or expired keys stay in the list.

        Args:
            kind: `test` keys deliver nothing; `public` keys can only record events, also from web pages
            scope: The permissions: full access; send and read e-mails; read only
            expires_at: When it expires; omit it for a key that does not expire
        """
        return cast("CreatedKey", self._transport.call(Request("POST", "/v1/keys", body={"kind": kind, "scope": scope, "expiresAt": expires_at}, timeout=timeout, max_retries=max_retries), "data"))

    def revoke_key(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Key:
        """Revoke a key. An extension of this implementation. The key is refused from now on, and its console sessions end. Marketers, analysts and approvers revoke only the keys that they created."""
        return cast("Key", self._transport.call(Request("DELETE", f"/v1/keys/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def list_members(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Member]:
        """List the members of the project in the order in which they joined. An extension of this implementation.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/members", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def list_invitations(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[Invitation]:
        """List pending invitations, newest first. An extension of this implementation.

        Args:
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/invitations", query={"limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_invitation(
        self,
        *,
        address: str,
        role: MemberRole,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Invitation:
        """Invite a person to the project by e-mail. An extension of this implementation. The message goes out from the first verified domain of the project. Its link works once, within 7 days, and is nowhere else: it proves that the person reads the mail of the address. An invitation replaces an earlier one to the same address. You can invite up to 50 persons per hour.

        Args:
            address: The only address that can accept it
        """
        return cast("Invitation", self._transport.call(Request("POST", "/v1/invitations", body={"address": address, "role": role}, timeout=timeout, max_retries=max_retries), "data"))

    def withdraw_invitation(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Withdraw an invitation. An extension of this implementation. The link in the message leads nowhere from now on."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/invitations/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_member(
        self,
        id: str,
        /,
        *,
        role: MemberRole,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Member:
        """Change the role of a member. An extension of this implementation. It counts from the member's next request on. Only owners change owners, and the last owner keeps the role."""
        return cast("Member", self._transport.call(Request("PATCH", f"/v1/members/{quoted(id)}", body={"role": role}, timeout=timeout, max_retries=max_retries), "data"))

    def remove_member(
        self,
        id: str,
        /,
        *,
        keys: Optional[Literal["keep", "revoke"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> FormerMember:
        """Remove a member from the project. An extension of this implementation. The member's sessions in the project end. The keys that the member created stay, unless `keys` is `revoke`. The last owner cannot be removed.

        Args:
            keys: Whether the keys that the member created, also through other keys, stay or are revoked
        """
        return cast("FormerMember", self._transport.call(Request("DELETE", f"/v1/members/{quoted(id)}", query={"keys": keys}, timeout=timeout, max_retries=max_retries), "data"))

    def get_me(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Me:
        """Get the caller: the person or key, what it may do, and where. An extension of this implementation."""
        return cast("Me", self._transport.call(Request("GET", "/v1/me", timeout=timeout, max_retries=max_retries), "data"))

    def list_saved_blocks(
        self,
        *,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[SavedBlock]:
        """List saved blocks, newest first. An extension of this implementation.

        Args:
            search: Part of the name
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/blocks", query={"search": search, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def create_saved_block(
        self,
        *,
        name: str,
        blocks: Sequence[Mapping[str, Any]],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SavedBlock:
        """Save blocks under a name. An extension of this implementation. The console inserts a copy into a message, so a later change does not affect it.

        Args:
            name: The name that the console shows; an extension of this implementation
            blocks: The blocks, as `blocks` of a design holds them
        """
        return cast("SavedBlock", self._transport.call(Request("POST", "/v1/blocks", body={"name": name, "blocks": blocks}, timeout=timeout, max_retries=max_retries), "data"))

    def get_saved_block(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SavedBlock:
        """Get a saved block. An extension of this implementation."""
        return cast("SavedBlock", self._transport.call(Request("GET", f"/v1/blocks/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_saved_block(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        blocks: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> SavedBlock:
        """Rename a saved block, or replace its blocks. An extension of this implementation. Mail that contains a copy does not change.

        Args:
            name: The name that the console shows; an extension of this implementation
            blocks: The blocks, as `blocks` of a design holds them
        """
        return cast("SavedBlock", self._transport.call(Request("PATCH", f"/v1/blocks/{quoted(id)}", body={"name": name, "blocks": blocks}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_saved_block(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a saved block. An extension of this implementation. Mail that contains a copy keeps it."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/blocks/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def archive_segment(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Segment:
        """Archive a segment. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is."""
        return cast("Segment", self._transport.call(Request("POST", f"/v1/segments/{quoted(id)}/archive", timeout=timeout, max_retries=max_retries), "data"))

    def unarchive_segment(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Segment:
        """Bring an archived segment back. An extension of this implementation. What is not archived stays as it is."""
        return cast("Segment", self._transport.call(Request("POST", f"/v1/segments/{quoted(id)}/unarchive", timeout=timeout, max_retries=max_retries), "data"))

    def get_settings(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Settings:
        """Get the project's settings. An extension of this implementation."""
        return cast("Settings", self._transport.call(Request("GET", "/v1/settings", timeout=timeout, max_retries=max_retries), "data"))

    def update_settings(
        self,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        consent: Union[UpdateSettingsRequestConsent, NotGiven] = NOT_GIVEN,
        tracking: Union[UpdateSettingsRequestTracking, NotGiven] = NOT_GIVEN,
        brand: Union[Optional[UpdateSettingsRequestBrand], NotGiven] = NOT_GIVEN,
        windows: Union[Optional[SendWindows], NotGiven] = NOT_GIVEN,
        frequency_caps: Union[Sequence[FrequencyCap], NotGiven] = NOT_GIVEN,
        approval_needed_above: Union[Optional[int], NotGiven] = NOT_GIVEN,
        members_need_second_factor: Union[bool, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Settings:
        """Change the project's settings. An extension of this implementation. A change applies to messages accepted after it, and to batches of campaigns that start after it.

        Args:
            name: The project name, shown on public pages and in the console; an extension of this implementation
            consent: Settings of the ledger of consent; an extension of this implementation
            tracking: The default tracking of messages that do not set it; null resets it; an extension of this implementation
            brand: The brand that recipients see; null removes a member, or all of it; an extension of this implementation
            windows: When marketing mail may go out, unless a campaign or an automation has windows of its own; null for any time; an extension of this implementation
            frequency_caps: The maximum number of marketing messages per person within any window. A cap counts from its first message on. Replaces all of them; an empty array removes them; an extension of this implementation
            approval_needed_above: A campaign or a batch with more recipients than this needs an approval, by another key or session than the one that requests it; null for never; an extension of this implementation
            members_need_second_factor: Whether members need a second factor to work in the project. Only an owner who has one can turn it on. Applies from the next request of each session; an extension of this implementation
        """
        return cast("Settings", self._transport.call(Request("PATCH", "/v1/settings", body={"name": name, "consent": consent, "tracking": tracking, "brand": brand, "windows": windows, "frequencyCaps": frequency_caps, "approvalNeededAbove": approval_needed_above, "membersNeedSecondFactor": members_need_second_factor}, timeout=timeout, max_retries=max_retries), "data"))

    def list_smtp_sessions(
        self,
        *,
        result: Optional[Literal["accepted", "partial", "refused", "nothing"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[SmtpSession]:
        """List SMTP sessions, newest first. An extension of this implementation. The connections over which a key has signed in to SMTP submission, for 30 days: what was accepted, and what was refused and why. An open connection is listed as it was up to five seconds before.

        Args:
            result: `partial`: something was accepted and something refused. `nothing`: the program signed in and submitted nothing
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/smtp-sessions", query={"result": result, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def import_suppressions(
        self,
        *,
        suppressions: Sequence[ImportSuppressionsRequestSuppressionsItem],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ImportedSuppressions:
        """Suppress up to 1,000 addresses, each with its reason and note. An extension of this implementation. An address that is already suppressed keeps its record as it is, so repeating the request changes nothing. If one entry is invalid, nothing is imported, and `details` names every invalid entry, such as `suppressions.3.email`.

        Args:
            suppressions: If an address appears twice, the first entry wins
        """
        return cast("ImportedSuppressions", self._transport.call(Request("POST", "/v1/suppressions/import", body={"suppressions": suppressions}, timeout=timeout, max_retries=max_retries), "data"))

    def archive_template(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Archive a template. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is."""
        return cast("Template", self._transport.call(Request("POST", f"/v1/templates/{quoted(id)}/archive", timeout=timeout, max_retries=max_retries), "data"))

    def unarchive_template(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Template:
        """Bring an archived template back. An extension of this implementation. What is not archived stays as it is."""
        return cast("Template", self._transport.call(Request("POST", f"/v1/templates/{quoted(id)}/unarchive", timeout=timeout, max_retries=max_retries), "data"))

    def preview_template(
        self,
        *,
        subject: str,
        body: str,
        type: Union[Literal["transactional", "marketing"], NotGiven] = NOT_GIVEN,
        contact: Union[str, NotGiven] = NOT_GIVEN,
        variables: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        language: Union[str, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TemplatePreview:
        """Render a template for a contact. An extension of this implementation. Renders the given content as a message, with the values of the contact overridden by `variables`. Nothing is sent or stored. Without `contact`, no values are used, which shows the fallbacks.

        Args:
            subject: The subject, which may have placeholders
            body: HTML with placeholders
            type: The type; default `"transactional"`
            contact: The id or the address of the contact to render it for
            variables: Values for placeholders; they win over contact fields of the same name
            language: The language that the content is a variant for: it decides on direction, dates and numbers
        """
        return cast("TemplatePreview", self._transport.call(Request("POST", "/v1/templates/preview", body={"subject": subject, "body": body, "type": type, "contact": contact, "variables": variables, "language": language}, timeout=timeout, max_retries=max_retries), "data"))

    def test_send_content(
        self,
        *,
        to: str,
        language: Union[Literal["default", "all"], str, NotGiven] = NOT_GIVEN,
        variables: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        subject: str,
        body: str,
        preview_text: Union[Optional[str], NotGiven] = NOT_GIVEN,
        from_email: str,
        from_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        reply_to: Union[Optional[str], NotGiven] = NOT_GIVEN,
        variants: Union[Optional[Mapping[str, ContentVariantInput]], NotGiven] = NOT_GIVEN,
        type: Union[Literal["transactional", "marketing"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestSent:
        """Send content that is not stored to one address, its subject prefixed with [Test]. An extension of this implementation. Tries out a message as it is written, such as that of an automation.

        Args:
            to: The end, exclusive
            language: An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets
            variables: Values for placeholders; they win over contact fields of the same name
            subject: The subject, which may have placeholders
            body: HTML with placeholders
            preview_text: What email clients show after the subject
            from_email: The sender's address
            from_name: The sender's name; null where there is none
            reply_to: The Reply-To address; null for the From address
            variants: An extension of this implementation: the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default; null for none
            type: The type; default `"transactional"`
        """
        return cast("TestSent", self._transport.call(Request("POST", "/v1/templates/test-send", body={"to": to, "language": language, "variables": variables, "subject": subject, "body": body, "previewText": preview_text, "fromEmail": from_email, "fromName": from_name, "replyTo": reply_to, "variants": variants, "type": type}, timeout=timeout, max_retries=max_retries), "data"))

    def render_blocks(
        self,
        *,
        body_blocks: Union[str, Sequence[Any], Mapping[str, Any]],
        type: Union[Literal["transactional", "marketing"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RenderedBlocks:
        """Render a design of the block editor to HTML. An extension of this implementation. Writes the HTML that the console would save for this design, and lists warnings about what readers may have problems with. Nothing is sent or stored: give `body` and `bodyBlocks` to a template or campaign.

        Args:
            body_blocks: A design of the block editor, or its JSON as text
            type: Marketing mail is checked for an unsubscribe link; default `"transactional"`
        """
        return cast("RenderedBlocks", self._transport.call(Request("POST", "/v1/templates/render-blocks", body={"bodyBlocks": body_blocks, "type": type}, timeout=timeout, max_retries=max_retries), "data"))

    def list_topics(
        self,
        *,
        figures: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[TopicWithFigures]:
        """List topics, by `order`. An extension of this implementation. With `figures=true`, each topic has `figures`.

        Args:
            figures: Includes the figures of each topic. The more contacts have chosen topics, the longer it takes
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/topics", query={"figures": figures, "limit": 100 if limit is None else limit}, timeout=timeout, max_retries=max_retries))

    def create_topic(
        self,
        *,
        key: str,
        name: str,
        names: Union[Mapping[str, str], NotGiven] = NOT_GIVEN,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        default_subscription: Literal["in", "out"],
        visibility: Union[Literal["public", "private"], NotGiven] = NOT_GIVEN,
        order: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Topic:
        """Create a topic. An extension of this implementation. `key` and `defaultSubscription` never change.

        Args:
            key: How conditions and columns name it, as `topic.<key>`; it never changes
            name: Its name
            names: Its name by language (BCP 47), where `name` is not the right one
            description: A note for your own use
            default_subscription: Whether contacts who did not choose get its mail (`in`) or not (`out`); it never changes
            visibility: Public pages show a `private` topic only to people who are in it; default `"public"`
            order: Its place in lists: the lowest first, then the oldest; default `0`
        """
        return cast("Topic", self._transport.call(Request("POST", "/v1/topics", body={"key": key, "name": name, "names": names, "description": description, "defaultSubscription": default_subscription, "visibility": visibility, "order": order}, timeout=timeout, max_retries=max_retries), "data"))

    def get_topic(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Topic:
        """Get a topic. An extension of this implementation."""
        return cast("Topic", self._transport.call(Request("GET", f"/v1/topics/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def update_topic(
        self,
        id: str,
        /,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        names: Union[Mapping[str, str], NotGiven] = NOT_GIVEN,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        visibility: Union[Literal["public", "private"], NotGiven] = NOT_GIVEN,
        order: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Topic:
        """Update a topic. An extension of this implementation. `key` and `defaultSubscription` never change.

        Args:
            name: Its name
            names: Its name by language (BCP 47), where `name` is not the right one
            description: A note for your own use
            visibility: Public pages show a `private` topic only to people who are in it
            order: Its place in lists: the lowest first, then the oldest
        """
        return cast("Topic", self._transport.call(Request("PATCH", f"/v1/topics/{quoted(id)}", body={"name": name, "names": names, "description": description, "visibility": visibility, "order": order}, timeout=timeout, max_retries=max_retries), "data"))

    def delete_topic(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Deleted:
        """Delete a topic that nothing uses. An extension of this implementation. 409 `in_use` while a template, a campaign that has not ended, a workflow or a segment names it."""
        return cast("Deleted", self._transport.call(Request("DELETE", f"/v1/topics/{quoted(id)}", timeout=timeout, max_retries=max_retries), "data"))

    def get_contact_topics(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ContactTopics:
        """Get the topics of a contact. An extension of this implementation."""
        return cast("ContactTopics", self._transport.call(Request("GET", f"/v1/contacts/{quoted(id)}/topics", timeout=timeout, max_retries=max_retries), "data"))

    def change_contact_topics(
        self,
        id: str,
        /,
        *,
        topics: Sequence[ChangeContactTopicsRequestTopicsItem],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ContactTopics:
        """Change the topics of a contact. An extension of this implementation. Topics that are not named stay as they are. After the response, no further message of a removed topic starts.

        Args:
            topics: Topics to change; the others stay as they are
        """
        return cast("ContactTopics", self._transport.call(Request("PATCH", f"/v1/contacts/{quoted(id)}/topics", body={"topics": topics}, timeout=timeout, max_retries=max_retries), "data"))

    def get_translations(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Translations:
        """Get the project's translations. An extension of this implementation."""
        return cast("Translations", self._transport.call(Request("GET", "/v1/translations", timeout=timeout, max_retries=max_retries), "data"))

    def replace_translations(
        self,
        *,
        translations: Mapping[str, Mapping[str, Any]],
        version: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Translations:
        """Replace the project's translations. An extension of this implementation. Messages that were accepted before, and campaigns that were launched or scheduled before, keep the earlier texts.

        Args:
            translations: The texts by key, as in `{{t "greeting"}}`, and within a key by language (BCP 47); `default` is for all other languages. Replaces all of them
            version: The version that you read. If another change came first, the answer is 409 `conflict`. Default: not checked
        """
        return cast("Translations", self._transport.call(Request("PUT", "/v1/translations", body={"translations": translations, "version": version}, timeout=timeout, max_retries=max_retries), "data"))

    def list_upcoming(
        self,
        *,
        contact_id: Optional[str] = None,
        campaign_id: Optional[str] = None,
        workflow_id: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[UpcomingEntry]:
        """List what will happen next, soonest first. An extension of this implementation. One list of scheduled e-mails and campaigns, turns, A/B decisions, ends of pauses, and waiting executions. Filters keep the entries that have all given ids.

        Args:
            contact_id: Only what happens to this contact
            campaign_id: An opaque id
            workflow_id: An opaque id
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", "/v1/upcoming", query={"contactId": contact_id, "campaignId": campaign_id, "workflowId": workflow_id, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def get_delivery(
        self,
        id: str,
        delivery_id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WholeDelivery:
        """Get a delivery with the body of its calls, and its attempts. An extension of this implementation."""
        return cast("WholeDelivery", self._transport.call(Request("GET", f"/v1/webhooks/{quoted(id)}/deliveries/{quoted(delivery_id)}", timeout=timeout, max_retries=max_retries), "data"))

    def test_webhook(
        self,
        id: str,
        /,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Delivery:
        """Deliver a test event. An extension of this implementation. The event is `webhook.test`, regardless of the events of the endpoint; it is signed, retried and listed like any other."""
        return cast("Delivery", self._transport.call(Request("POST", f"/v1/webhooks/{quoted(id)}/test", timeout=timeout, max_retries=max_retries), "data"))

    def list_webhook_gaps(
        self,
        id: str,
        /,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Pages[WebhookGap]:
        """List events that an endpoint did not receive, newest first. An extension of this implementation. Lists pending and failed deliveries of the last 30 days whose event did not arrive by another attempt or replay.

        Args:
            from_: Received since then; inclusive
            to: Received before then; exclusive
            limit: The maximum number of rows in a response
        """
        return self._transport.pages(Request("GET", f"/v1/webhooks/{quoted(id)}/gaps", query={"from": from_, "to": to, "limit": limit}, timeout=timeout, max_retries=max_retries))

    def replay_webhook(
        self,
        id: str,
        /,
        *,
        from_: str,
        to: str,
        status: Union[Literal["failed", "succeeded", "all"], NotGiven] = NOT_GIVEN,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ReplayedWindow:
        """Deliver the events of a time range again. An extension of this implementation. Queues up to 10,000 deliveries; more are 422 `too_big`. Pending and erased deliveries stay as they are, so repeating the request adds none.

        Args:
            from_: Events received since then; inclusive
            to: Events received before then; exclusive
            status: Which deliveries to queue again; default `"failed"`
        """
        return cast("ReplayedWindow", self._transport.call(Request("POST", f"/v1/webhooks/{quoted(id)}/replay", body={"from": from_, "to": to, "status": status}, timeout=timeout, max_retries=max_retries), "data"))

    def explain_contact(
        self,
        id: str,
        /,
        *,
        campaign_id: Optional[str] = None,
        workflow_id: Optional[str] = None,
        email_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Why:
        """Explain why a contact got a message, or did not. An extension of this implementation. Explains a campaign, a workflow or one e-mail. It also works before a launch, and for contacts that got nothing. Each judgement shows the facts it was based on. If none were recorded, it shows the current facts and `asOf` is `now`.

        Args:
            campaign_id: Give exactly one of the three
            workflow_id: An opaque id
            email_id: An opaque id
        """
        return cast("Why", self._transport.call(Request("GET", f"/v1/contacts/{quoted(id)}/why", query={"campaignId": campaign_id, "workflowId": workflow_id, "emailId": email_id}, timeout=timeout, max_retries=max_retries), "data"))

    def get_live(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Live:
        """Liveness: whether this process runs; if not, restart it."""
        return cast("Live", self._transport.call(Request("GET", "/livez", timeout=timeout, max_retries=max_retries), "json"))

    def get_ready(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Ready:
        """Readiness: whether this process accepts requests; requires MongoDB and reports Temporal."""
        return cast("Ready", self._transport.call(Request("GET", "/readyz", timeout=timeout, max_retries=max_retries), "json"))
