# SPDX-License-Identifier: Apache-2.0
"""Calls the services of a daemon, `genesys serve` (docs/service-daemon.md). It needs only libgenesys_service_client.so.

    import genesys.services

    with genesys.services.connect() as services:
        print(services.names())
        data = services.buffer(1 << 20)                 # memory that the daemon and the GPU use, too: nothing is copied
        data.view[:] = bytes(1 << 20)                   # a memoryview; numpy.frombuffer(data, ...) works as well
        digests = services.buffer(256 * 32)
        services.sha256(from_=data, piece_bytes=4096, digests=digests, blocks=4)

A service is a method, whose keyword arguments are the members of its arguments. A name that is a keyword of Python has
an underscore at its end, and a '-' of a service's name is an underscore. A buffer is one of buffer(), a part of it
(data[4096:8192]), an array of numpy over it, or other memory: that is copied to a buffer, and, unless the service only
reads it, back. A call returns the service's result, and raises OSError if that is negative. `blocks=` says how many
blocks the request wants. submit.NAME(...) returns a Ticket instead of waiting. Threads may share a connection.
"""

import ctypes
import errno
import keyword
import os

__all__ = ["Buffer", "Connection", "FullError", "ServiceError", "Ticket", "connect"]

_KINDS = {1: ctypes.c_uint8, 2: ctypes.c_int8, 3: ctypes.c_uint16, 4: ctypes.c_int16, 5: ctypes.c_uint32,
          6: ctypes.c_int32, 7: ctypes.c_uint64, 8: ctypes.c_int64, 9: ctypes.c_float, 10: ctypes.c_double}
_INPUT, _OUTPUT, _BOTH = range(3)


class ServiceError(OSError):
    """A service, the daemon or the connection has answered with an errno."""


class _Ticket(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_uint32), ("use", ctypes.c_uint32)]


class _Description(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("argument_bytes", ctypes.c_uint32), ("members", ctypes.c_uint32),
                ("is_described", ctypes.c_uint32)]


class _Member(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("kind", ctypes.c_uint32),
                ("count", ctypes.c_uint32), ("direction", ctypes.c_uint32)]


class _BufferArgument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_uint64)]


def _load(path):
    """The library: `path`, else the environment's GENESYS_SERVICE_LIBRARY, else where the system has it."""
    name = path or os.environ.get("GENESYS_SERVICE_LIBRARY") or "libgenesys_service_client.so.0"
    library = ctypes.CDLL(str(name), use_errno=True)
    client, number, size = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
    for function, result, arguments in (
            ("connect", client, (ctypes.c_char_p, size)),
            ("close", None, (client,)),
            ("error", ctypes.c_char_p, ()),
            ("find", number, (client, ctypes.c_char_p)),
            ("allocate", ctypes.c_void_p, (client, size)),
            ("free", None, (client, ctypes.c_void_p)),
            ("call", ctypes.c_int64, (client, number, ctypes.c_void_p, size, ctypes.c_uint)),
            ("submit", number, (client, number, ctypes.c_void_p, size, ctypes.c_uint, ctypes.POINTER(_Ticket))),
            ("wait", ctypes.c_int64, (client, _Ticket)),
            ("poll", number, (client, _Ticket, ctypes.POINTER(ctypes.c_int64))),
            ("drop", None, (client, _Ticket)),
            ("count", ctypes.c_uint, (client,)),
            ("describe", number, (client, ctypes.c_uint, ctypes.POINTER(_Description))),
            ("describe_member", number, (client, ctypes.c_uint, ctypes.c_uint, ctypes.POINTER(_Member))),
            ("memory", ctypes.c_void_p, (client, ctypes.POINTER(size)))):
        it = getattr(library, "genesys_service_" + function)
        it.restype, it.argtypes = result, arguments
    return library


class FullError(ServiceError, BlockingIOError):
    """As many requests are under way as the connection may have."""


def _checked(result, doing):
    if result < 0:
        kind = FullError if result == -errno.EAGAIN else ServiceError
        raise kind(-result, f"{doing}: {os.strerror(-result)}")
    return result


class Buffer:
    """Memory of a connection. It supports the buffer protocol through `view`, a memoryview of bytes."""

    def __init__(self, connection, address, size, owner=None):
        self._connection = connection
        self._owner = owner  # the whole buffer of a part
        self.address = address
        self.nbytes = size
        array = (ctypes.c_ubyte * size).from_address(address)
        array._connection = connection  # whoever has the memory keeps the connection
        self.view = memoryview(array).cast("B")

    def __len__(self):
        return self.nbytes

    def __getitem__(self, part):
        """A part, without a copy."""
        first, end, step = part.indices(self.nbytes)
        if step != 1:
            raise ValueError("a part of a buffer has no steps")
        return Buffer(self._connection, self.address + first, max(end - first, 0), self._owner or self)

    def __bytes__(self):
        return bytes(self.view)

    @property
    def __array_interface__(self):
        """For numpy: an array of bytes over the same memory."""
        return {"shape": (self.nbytes,), "typestr": "|u1", "data": (self.address, False), "version": 3}

    def free(self):
        """Gives the memory back. Nothing may use it any more, also no part, view or array of it."""
        if self._owner is not None:
            raise ValueError("a part of a buffer is freed with the buffer")
        self.view.release()
        self._connection._free(self.address)


class Ticket:
    """A request under way."""

    def __init__(self, connection, raw, service, kept):
        self._connection, self._raw, self._service, self._kept = connection, raw, service, kept
        self._result = None

    def is_done(self):
        if self._result is None:
            result = ctypes.c_int64()
            library, client = self._connection._library, self._connection._open()
            if library.genesys_service_poll(client, self._raw, ctypes.byref(result)):
                self._end(result.value)
        return self._result is not None

    def wait(self):
        """The service's result. Raises ServiceError."""
        if self._result is None:
            self._end(self._connection._library.genesys_service_wait(self._connection._open(), self._raw))
        return _checked(self._result, self._service.name)

    def _end(self, result):
        self._result = result
        self._kept.end(result)

    def __del__(self):
        if self._result is not None or not self._connection._client:
            return
        if self._kept.temporary:  # the service still uses this memory
            self._end(self._connection._library.genesys_service_wait(self._connection._client, self._raw))
        else:
            self._connection._library.genesys_service_drop(self._connection._client, self._raw)


# With these results a block may still use the request's memory (docs/service-buffers.md): copies stay.
_MAY_STILL_USE_MEMORY = (-errno.ETIMEDOUT, -errno.EBADMSG, -errno.EIO, -errno.ECANCELED)
_used = []


class _Kept:
    """What a request needs until its end: copies of memory that is not in buffers."""

    def __init__(self):
        self.temporary, self.copies_back, self.alive = [], [], []

    def end(self, result):
        if result in _MAY_STILL_USE_MEMORY:
            _used.append(self)
            return
        for into, buffer in self.copies_back:
            into[:] = buffer.view
        self.drop()

    def drop(self):
        for buffer in self.temporary:
            buffer.free()
        self.temporary, self.copies_back, self.alive = [], [], []


class _Service:
    def __init__(self, connection, number):
        library = connection._library
        it = _Description()
        library.genesys_service_describe(connection._open(), number, ctypes.byref(it))
        self._connection = connection
        self.number, self.name, self.argument_bytes = number, it.name.decode(), it.argument_bytes
        self.is_described = bool(it.is_described)
        self.members = {}
        for index in range(it.members):
            member = _Member()
            library.genesys_service_describe_member(connection._open(), number, index, ctypes.byref(member))
            name = member.name.decode() or f"buffer{index}"
            self.members[name + "_" if keyword.iskeyword(name) else name] = member

    def pack(self, values, raw, kept):
        """The bytes of the arguments."""
        block = (ctypes.c_ubyte * max(self.argument_bytes, 1))()
        if raw is not None:
            raw = bytes(raw)
            if len(raw) != self.argument_bytes:
                raise ValueError(f"{self.name} has {self.argument_bytes} bytes of arguments, not {len(raw)}")
            ctypes.memmove(block, raw, len(raw))
        elif not self.is_described and self.argument_bytes:
            raise TypeError(f"{self.name} does not describe its arguments: pass their bytes as raw=, and its buffers")
        for name in values:
            if name not in self.members:
                raise TypeError(f"{self.name} has no argument {name!r}, but {', '.join(self.members)}")
        for name, member in self.members.items():
            if name in values:
                self._pack_member(block, member, values[name], kept)
        return block

    def _pack_member(self, block, member, value, kept):
        if member.kind == 0:
            address, size = self._connection._locate(value, member.direction, kept)
            _BufferArgument.from_buffer(block, member.offset).data = address
            _BufferArgument.from_buffer(block, member.offset).bytes = size
            return
        kind = _KINDS[member.kind]
        items = (kind * member.count).from_buffer(block, member.offset)
        given = list(value) if member.count > 1 else [value]
        if len(given) > member.count:
            raise ValueError(f"{self.name}: {len(given)} values for {member.count}")
        for index, each in enumerate(given):
            items[index] = each
            if kind not in (ctypes.c_float, ctypes.c_double) and items[index] != each:
                raise OverflowError(f"{self.name}: {each} does not fit {kind.__name__}")


class _Submit:
    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        service = self._connection._service(name)
        return lambda **arguments: self._connection._submit(service, arguments)


class Connection:
    """A connection to a daemon. Use it in a `with` statement, or close() it."""

    def __init__(self, socket=None, memory_bytes=0, library=None):
        self._library = _load(library)
        self._client = None
        client = self._library.genesys_service_connect(os.fsencode(socket) if socket else None, memory_bytes)
        if not client:
            raise ServiceError(ctypes.get_errno(), self._words())
        self._client = client
        size = ctypes.c_size_t()
        self._memory = self._library.genesys_service_memory(client, ctypes.byref(size))
        self.memory_bytes = size.value
        count = self._library.genesys_service_count(client)
        self._services = {one.name: one for one in (_Service(self, number) for number in range(count))}
        self.submit = _Submit(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def close(self):
        """The end. Buffers, their views and arrays must not be used any more."""
        client, self._client = getattr(self, "_client", None), None
        if client:
            self._library.genesys_service_close(client)

    def names(self):
        """The services."""
        return list(self._services)

    def arguments(self, service):
        """The names of a service's arguments."""
        return list(self._service(service).members)

    def buffer(self, size):
        """Memory for buffers, with undefined content. Raises MemoryError if there is not so much left."""
        address = self._library.genesys_service_allocate(self._open(), size)
        if not address:
            raise MemoryError(self._words())
        return Buffer(self, address, size)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        service = self._service(name)
        return lambda **arguments: self._call(service, arguments)

    def _words(self):
        return self._library.genesys_service_error().decode()

    def _open(self):
        if not self._client:
            raise ServiceError(errno.EBADF, "the connection is closed")
        return self._client

    def _free(self, address):
        if self._client:
            self._library.genesys_service_free(self._client, address)

    def _service(self, name):
        for known in (name, name.replace("_", "-")):
            if known in self._services:
                return self._services[known]
        raise AttributeError(f"the daemon has no service {name!r}, but {', '.join(self._services)}")

    def _locate(self, value, direction, kept):
        """The address and size of a buffer's memory. Other memory is copied."""
        if value is None:
            return self._memory, 0
        if isinstance(value, Buffer):
            return value.address, value.nbytes
        view = memoryview(value).cast("B")
        if view.nbytes == 0:
            return self._memory, 0
        if not view.readonly:
            address = ctypes.addressof(ctypes.c_ubyte.from_buffer(view))
            if self._memory <= address < self._memory + self.memory_bytes:
                kept.alive.append(view)
                return address, view.nbytes
        elif direction != _INPUT:
            raise TypeError("the service writes to this buffer, and the object is read-only")
        copy = self.buffer(view.nbytes)
        kept.temporary.append(copy)
        if direction != _OUTPUT:
            copy.view[:] = view
        if direction != _INPUT:
            kept.copies_back.append((view, copy))
        return copy.address, copy.nbytes

    def _call(self, service, arguments):
        blocks, raw = arguments.pop("blocks", 1), arguments.pop("raw", None)
        kept = _Kept()
        try:
            block = service.pack(arguments, raw, kept)
            result = self._library.genesys_service_call(self._open(), service.number, block, service.argument_bytes,
                                                        blocks)
        except BaseException:
            kept.drop()
            raise
        kept.end(result)
        return _checked(result, service.name)

    def _submit(self, service, arguments):
        blocks, raw = arguments.pop("blocks", 1), arguments.pop("raw", None)
        kept, ticket = _Kept(), _Ticket()
        try:
            block = service.pack(arguments, raw, kept)
            _checked(self._library.genesys_service_submit(self._open(), service.number, block, service.argument_bytes,
                                                          blocks, ctypes.byref(ticket)), service.name)
        except BaseException:
            kept.drop()
            raise
        return Ticket(self, ticket, service, kept)


def connect(socket=None, memory_bytes=0, library=None):
    """Connects to a daemon: to the one at `socket`, else as service_client.h says. `memory_bytes`: for buffers, else
    what the daemon gives. Raises ServiceError, an OSError with the errno and words."""
    return Connection(socket, memory_bytes, library)
